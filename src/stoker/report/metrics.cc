#include "stoker/report/metrics.h"

#include <utility>

#include "stoker/base/error.h"
#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/report/detail/lines.h"

namespace stoker {

namespace {
/// The lines of an earlier part of the run that a resumed run keeps; `start_time` gets
/// the time of its first start.
std::string kept_lines(const std::string& file, int64_t first_step,
                       std::string& start_time) {
  std::string kept;
  for (const std::string& text : split(file, '\n')) {
    const auto line = detail::from_json(text);
    if (!line) continue;
    if (std::holds_alternative<RunStarted>(line->event)) {
      if (!line->time.empty()) start_time = line->time;
      continue;
    }
    if (line->step > first_step || std::holds_alternative<RunFinished>(line->event))
      continue;
    const auto* checkpoint = std::get_if<CheckpointSaved>(&line->event);
    if (checkpoint != nullptr && checkpoint->interrupted) continue;
    kept += text;
    kept += '\n';
  }
  return kept;
}
}  // namespace

MetricsWriter::MetricsWriter(const std::filesystem::path& folder)
    : path_(folder / "metrics.jsonl") {}

void MetricsWriter::begin(const RunStarted& start) {
  std::string time = detail::utc_now();
  std::string kept;
  if (start.first_step > 0 && std::filesystem::exists(path_)) {
    kept = kept_lines(read_file(path_), start.first_step, time);
  }
  write_file_atomically(path_, cat(detail::to_json({start, 0, time}), "\n", kept));
  file_.open(path_, std::ios::app | std::ios::binary);
  last_step_ = start.first_step;
}

void MetricsWriter::on(const Event& event) {
  if (const auto* start = std::get_if<RunStarted>(&event)) {
    begin(*start);
  } else {
    std::visit(
        [&](const auto& value) {
          if constexpr (requires { value.step; }) last_step_ = value.step;
        },
        event);
    const bool is_step = std::holds_alternative<StepDone>(event);
    file_ << detail::to_json({event, last_step_, is_step ? "" : detail::utc_now()})
          << '\n';
    if (!is_step) file_.flush();
  }
  if (!file_) {
    throw Error(ErrorCode::kIo,
                cat("[report] ", path_.string(), ": cannot write: ", system_reason()));
  }
}

}  // namespace stoker
