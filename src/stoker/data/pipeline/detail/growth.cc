#include "stoker/data/pipeline/detail/growth.h"

namespace stoker::data::detail {

namespace {
/// Share of the time that the consumer may wait before a worker is added.
constexpr double kTolerableWait = 0.02;
/// Part of the ideal gain, one worker's share, that the last worker must have brought.
constexpr double kWorthwhile = 0.3;
constexpr int64_t kWindowBatches = 4;
constexpr double kWindowSeconds = 0.05;
/// Windows in a row without the gain. Several, because stopping is for good and other
/// programs on the machine spoil some.
constexpr int kMostDisappointments = 8;
}  // namespace

bool Growth::adds_after_batch(double now, double waited, int64_t workers) {
  if (finished_ || workers >= max_workers_) return false;
  if (!started_) {
    started_ = true;
    window_start_ = now;
    return false;
  }
  window_wait_ += waited;
  const double seconds = now - window_start_;
  if (++window_batches_ < kWindowBatches || seconds < kWindowSeconds) return false;
  const double rate = static_cast<double>(window_batches_) / seconds;
  const bool waits = window_wait_ > kTolerableWait * seconds;
  window_start_ = now;
  window_wait_ = 0;
  window_batches_ = 0;
  if (!waits || !last_one_helped(rate, workers)) return false;
  rate_before_ = rate;
  return true;
}

bool Growth::last_one_helped(double batches_per_second, int64_t workers) {
  if (rate_before_ == 0) return true;
  const double ideal = 1.0 / static_cast<double>(workers - 1);
  if (batches_per_second >= rate_before_ * (1 + kWorthwhile * ideal)) {
    disappointments_ = 0;
    return true;
  }
  finished_ = ++disappointments_ >= kMostDisappointments;
  return false;
}

}  // namespace stoker::data::detail
