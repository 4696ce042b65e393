#include "stoker/report/detail/series.h"

#include <cmath>
#include <limits>

namespace stoker::detail {

namespace {
constexpr size_t kMaxWindows = 1000;

StepPoint point_of(const StepDone& step) {
  StepPoint point;
  point.step = step.step;
  point.steps = 1;
  point.samples = step.samples;
  if (std::isfinite(step.loss)) {
    point.loss_samples = step.samples;
    point.loss_sum = step.loss * static_cast<double>(step.samples);
  }
  point.learning_rate = step.learning_rate;
  point.time = step.time;
  return point;
}

/// Joins the first with the second, the third with the fourth, and so on.
template <typename T, typename Join>
void join_pairs(std::vector<T>& items, Join join) {
  size_t kept = 0;
  for (size_t i = 0; i < items.size(); i += 2) {
    T joined = items[i];
    if (i + 1 < items.size()) join(joined, items[i + 1]);
    items[kept++] = joined;
  }
  items.resize(kept);
}
}  // namespace

void StepPoint::add(const StepPoint& next) {
  step = next.step;
  steps += next.steps;
  samples += next.samples;
  loss_samples += next.loss_samples;
  loss_sum += next.loss_sum;
  learning_rate = next.learning_rate;
  time += next.time;
}

double StepPoint::loss() const {
  if (loss_samples == 0) return std::numeric_limits<double>::quiet_NaN();
  return loss_sum / static_cast<double>(loss_samples);
}

double StepPoint::samples_per_second() const {
  return time.total() > 0 ? static_cast<double>(samples) / time.total() : 0;
}

double StepPoint::busy() const {
  return time.total() > 0 ? time.busy() / time.total() : 0;
}

void StepSeries::add(const StepDone& step) {
  if (!points_.empty() && points_.back().steps < steps_a_point_) {
    points_.back().add(point_of(step));
    return;
  }
  if (points_.size() == max_points_) {
    join_pairs(points_, [](StepPoint& a, const StepPoint& b) { a.add(b); });
    steps_a_point_ *= 2;
    add(step);
    return;
  }
  points_.push_back(point_of(step));
}

void BusyWindows::add(const TimeSplit& time) {
  open_ += time;
  if (open_.total() < window_seconds_) return;
  windows_.push_back(open_);
  open_ = {};
  if (windows_.size() < kMaxWindows) return;
  join_pairs(windows_, [](TimeSplit& a, const TimeSplit& b) { a += b; });
  window_seconds_ *= 2;
}

std::vector<double> BusyWindows::shares() const {
  std::vector<double> shares;
  for (const TimeSplit& window : windows_)
    shares.push_back(window.busy() / window.total());
  return shares;
}

}  // namespace stoker::detail
