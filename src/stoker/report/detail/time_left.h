#pragma once

#include <cstdint>

namespace stoker::detail {

/// A mean in which a value weighs half after about 34 newer ones.
class SmoothMean {
 public:
  void add(double value) {
    sum_ += kNewest * (value - sum_);
    weight_ += kNewest * (1 - weight_);
  }
  bool empty() const { return weight_ == 0; }
  double value() const { return empty() ? 0 : sum_ / weight_; }

 private:
  static constexpr double kNewest = 0.02;
  double sum_ = 0;
  double weight_ = 0;
};

/// How long a training goes on: its steps at their smoothed pace, and for each epoch that
/// has not ended the mean cost of evaluation and saving so far.
class TimeLeft {
 public:
  void add_step(double seconds) { step_.add(seconds); }
  void add_evaluation(double seconds) { evaluations_ += seconds; }
  void add_saving(double seconds) { savings_ += seconds; }
  void end_epoch() { ++epochs_; }
  /// What an evaluation may take, until the first one is over.
  void guess_evaluation(double seconds) { guess_ = seconds; }

  double seconds(int64_t steps_left, int64_t epochs_left) const {
    const double between =
        epochs_ == 0 ? guess_ : (evaluations_ + savings_) / static_cast<double>(epochs_);
    return step_.value() * static_cast<double>(steps_left) +
           between * static_cast<double>(epochs_left);
  }

 private:
  SmoothMean step_;
  double evaluations_ = 0;
  double savings_ = 0;
  double guess_ = 0;
  int64_t epochs_ = 0;
};

}  // namespace stoker::detail
