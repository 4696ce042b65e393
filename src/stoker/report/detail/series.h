#pragma once

#include <cstddef>
#include <vector>

#include "stoker/events/events.h"

namespace stoker::detail {

/// Some steps in a row as one point: sums, means over samples, or the last value.
struct StepPoint {
  int64_t step = 0;  ///< Of the last.
  int64_t steps = 0;
  int64_t samples = 0;
  int64_t loss_samples = 0;  ///< Samples of the steps whose loss is finite.
  double loss_sum = 0;       ///< Over those samples.
  double learning_rate = 0;  ///< Of the last.
  TimeSplit time;

  void add(const StepPoint& next);
  /// Mean over samples; NaN where no step had a finite one.
  double loss() const;
  double samples_per_second() const;
  double busy() const;
};

/// The steps of a training in at most `max_points` points of equally many steps (the last
/// may have fewer), whatever their number.
class StepSeries {
 public:
  explicit StepSeries(size_t max_points) : max_points_(max_points) {}
  void add(const StepDone& step);
  const std::vector<StepPoint>& points() const { return points_; }

 private:
  size_t max_points_;
  int64_t steps_a_point_ = 1;
  std::vector<StepPoint> points_;
};

/// The busy share of the device in windows of at least a second of training.
class BusyWindows {
 public:
  void add(const TimeSplit& time);
  /// Of all full windows; at most 1,000, then neighbours are joined.
  std::vector<double> shares() const;

 private:
  double window_seconds_ = 1;
  TimeSplit open_;
  std::vector<TimeSplit> windows_;
};

}  // namespace stoker::detail
