#include "stoker/report/detail/tfevents.h"

#include "stoker/base/checksum.h"
#include "stoker/report/event.pb.h"

namespace stoker::detail {

namespace {
tensorboard::Event new_event(double wall_time, int64_t step) {
  tensorboard::Event event;
  event.set_wall_time(wall_time);
  event.set_step(step);
  return event;
}

void append_little_endian(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}
}  // namespace

std::string version_event(double wall_time) {
  tensorboard::Event event = new_event(wall_time, 0);
  event.set_file_version("brain.Event:2");
  return event.SerializeAsString();
}

std::string scalar_event(double wall_time, int64_t step, const Scalars& scalars) {
  tensorboard::Event event = new_event(wall_time, step);
  for (const auto& [tag, value] : scalars) {
    tensorboard::Summary::Value* entry = event.mutable_summary()->add_value();
    entry->set_tag(tag);
    entry->set_simple_value(static_cast<float>(value));
  }
  return event.SerializeAsString();
}

std::string purge_event(double wall_time, int64_t step) {
  tensorboard::Event event = new_event(wall_time, step);
  event.mutable_session_log()->set_status(tensorboard::SessionLog::START);
  return event.SerializeAsString();
}

std::string tf_record(std::string_view payload) {
  std::string record;
  append_little_endian(record, payload.size(), 8);
  append_little_endian(record, masked_crc32c(record.data(), 8), 4);
  record += payload;
  append_little_endian(record, masked_crc32c(payload.data(), payload.size()), 4);
  return record;
}

}  // namespace stoker::detail
