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

std::unique_ptr<Batch::Storage> Batch::Pool::take(int64_t batch, int64_t sample_floats) {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      auto storage = std::move(free_.back());
      free_.pop_back();
      storage->labels.clear();
      storage->records.clear();
      storage->bad.clear();
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
int64_t Batch::epoch() const { return storage_->epoch; }
int64_t Batch::index() const { return storage_->index; }
int64_t Batch::update() const { return storage_->update; }
int64_t Batch::channels() const { return storage_->channels; }
int64_t Batch::height() const { return storage_->height; }
int64_t Batch::width() const { return storage_->width; }

}  // namespace stoker::data
