#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stoker/data/augment/program.h"
#include "stoker/data/formats/record_source.h"
#include "stoker/data/order/order.h"

namespace stoker::data {

/// The samples of one micro-step. Memory comes from a pool and goes back when it is
/// destroyed.
class Batch {
 public:
  Batch(Batch&&) noexcept;
  Batch& operator=(Batch&&) noexcept;
  ~Batch();

  /// `size` samples, one after the other, in the program's layout; 64-byte aligned.
  float* pixels();
  const std::vector<int64_t>& labels() const;
  /// Indices of the records in the data set.
  const std::vector<int64_t>& records() const;
  int64_t size() const;
  int64_t epoch() const;
  /// Index of the batch within its epoch.
  int64_t index() const;
  /// Index within its epoch of the global batch, the update, that it is a part of.
  int64_t update() const;
  /// Shape [N, C, H, W], whatever the layout.
  int64_t channels() const;
  int64_t height() const;
  int64_t width() const;

 private:
  friend class Loader;
  struct Storage;
  struct Pool;
  explicit Batch(std::unique_ptr<Storage> storage);
  std::unique_ptr<Storage> storage_;
};

struct LoaderOptions {
  Order order;
  int64_t batch = 128;  ///< Samples of one micro-batch.
  /// Positions of an epoch are cut into global batches of this size first, so that no
  /// micro-batch crosses an update; 0: the same as `batch`.
  int64_t global_batch = 0;
  bool drop_last = false;  ///< Of the global batches.
  int64_t first_epoch = 0;
  int64_t num_epochs = 1;
  int64_t first_global_batch = 0;  ///< In the first epoch: where a resumed run goes on.
  int64_t rank = 0;
  int64_t world = 1;
  std::optional<int64_t>
      workers;              ///< Nothing: auto, grows while the consumer has to wait.
  int64_t max_workers = 1;  ///< Bound of auto.
  int64_t queue_bytes = int64_t{256} << 20;
  int64_t max_bad_samples = 0;
};

struct BadRecord {
  int64_t index = 0;
  std::string name;
  std::string reason;
};

struct LoaderStats {
  int64_t samples = 0;
  int64_t workers = 0;
  int64_t bytes_held = 0;  ///< Of batches, now.
  int64_t peak_bytes_held = 0;
  double read_seconds = 0;    ///< Summed over the workers.
  double decode_seconds = 0;  ///< Decode and augmentation.
  double consumer_wait_seconds = 0;
  double worker_wait_seconds = 0;  ///< For room in the queue.
};

/// Threads that read, decode and augment ahead of the consumer, in a fixed order.
///
/// The batches are the same for any number of workers. A bad record is left out of its
/// batch (which is then smaller), counted and named; beyond the budget `next` throws
/// Error(kData) with the list. Destroying the loader stops its threads within the work of
/// one sample.
class Loader {
 public:
  Loader(std::shared_ptr<const RecordSource> source,
         std::shared_ptr<const AugmentProgram> program, const LoaderOptions& options);
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  /// The next batch, or nothing after the last of the last epoch.
  std::optional<Batch> next();
  LoaderStats stats() const;
  std::vector<BadRecord> bad_records() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace stoker::data
