#pragma once

#include <cstdint>

namespace stoker::data::detail {

/// Decides when auto adds a worker: while the consumer waits and the last worker made the
/// batches come faster. After one that did not, never again.
///
/// A pure function of what it is told. Batches come as fast as the workers make them only
/// while the consumer waits, so stretches without a wait decide nothing, and the wait for
/// the very first batch (nothing could be ready) does not count.
class Growth {
 public:
  explicit Growth(int64_t max_workers) : max_workers_(max_workers) {}

  /// The consumer took a batch at `now` after it had waited, both in seconds. True when a
  /// worker should be added to `workers`.
  bool adds_after_batch(double now, double waited, int64_t workers);

 private:
  bool last_one_helped(double batches_per_second, int64_t workers);

  const int64_t max_workers_;
  bool started_ = false;
  bool finished_ = false;
  double window_start_ = 0;
  double window_wait_ = 0;
  int64_t window_batches_ = 0;
  double rate_before_ = 0;  ///< Batches a second before the last worker came; 0: none.
  int disappointments_ = 0;
};

}  // namespace stoker::data::detail
