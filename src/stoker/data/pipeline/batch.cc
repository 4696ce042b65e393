#include <algorithm>
#include <utility>

#include "stoker/data/pipeline/detail/batch_storage.h"

namespace stoker::data {

namespace {
detail::AlignedFloats allocate_floats(int64_t count) {
  const size_t bytes = static_cast<size_t>(count) * sizeof(float);
  return detail::AlignedFloats(static_cast<float*>(
      ::operator new (bytes, std::align_val_t{detail::kBatchAlignment})));
}
}  // namespace

void Batch::Storage::start(const detail::Ticket& next) {
  ticket = next;
  claimed = 0;
  filled = 0;
  bad.clear();
  labels.resize(static_cast<size_t>(ticket.range.size()));
  records.resize(static_cast<size_t>(ticket.range.size()));
}

void Batch::Storage::leave_out_bad(int64_t sample_floats) {
  if (bad.empty()) return;
  std::sort(bad.begin(), bad.end(),
            [](const BadSlot& a, const BadSlot& b) { return a.slot < b.slot; });
  auto next_bad = bad.begin();
  int64_t to = 0;
  for (int64_t from = 0; from < ticket.range.size(); ++from) {
    if (next_bad != bad.end() && next_bad->slot == from) {
      ++next_bad;
      continue;
    }
    if (to != from) {
      std::copy_n(memory.get() + from * sample_floats, sample_floats,
                  memory.get() + to * sample_floats);
      labels[static_cast<size_t>(to)] = labels[static_cast<size_t>(from)];
      records[static_cast<size_t>(to)] = records[static_cast<size_t>(from)];
    }
    ++to;
  }
  labels.resize(static_cast<size_t>(to));
  records.resize(static_cast<size_t>(to));
}

std::unique_ptr<Batch::Storage> Batch::Pool::take(int64_t batch, int64_t sample_floats) {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      auto storage = std::move(free_.back());
      free_.pop_back();
      return storage;
    }
    free_.reserve(++made_);
  }
  auto storage = std::make_unique<Storage>();
  storage->memory = allocate_floats(batch * sample_floats);
  storage->labels.reserve(static_cast<size_t>(batch));
  storage->records.reserve(static_cast<size_t>(batch));
  return storage;
}

void Batch::Pool::give_back(std::unique_ptr<Storage> storage) noexcept {
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(storage));
}

Batch::Batch(std::unique_ptr<Storage> storage) : storage_(std::move(storage)) {}
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&& other) noexcept {
  std::swap(storage_, other.storage_);
  return *this;
}
Batch::~Batch() {
  if (!storage_) return;
  const auto pool = std::exchange(storage_->pool, nullptr);
  pool->give_back(std::move(storage_));
}

float* Batch::pixels() { return storage_->memory.get(); }
const std::vector<int64_t>& Batch::labels() const { return storage_->labels; }
const std::vector<int64_t>& Batch::records() const { return storage_->records; }
int64_t Batch::size() const { return static_cast<int64_t>(storage_->labels.size()); }
int64_t Batch::epoch() const { return storage_->ticket.epoch; }
int64_t Batch::index() const { return storage_->ticket.index; }
int64_t Batch::update() const { return storage_->ticket.update; }
int64_t Batch::channels() const { return storage_->channels; }
int64_t Batch::height() const { return storage_->height; }
int64_t Batch::width() const { return storage_->width; }

}  // namespace stoker::data
