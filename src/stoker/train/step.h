#pragma once

#include <cstdint>
#include <string>

#include "stoker/events/events.h"
#include "stoker/train/feed.h"
#include "stoker/train/plan.h"
#include "stoker/train/session.h"
#include "stoker/train/task.h"

namespace stoker {

/// What one update did.
struct StepResult {
  int64_t samples = 0;
  int64_t correct = 0;
  double loss_sum = 0;
  double gradient_norm = 0;
  bool skipped = false;         ///< The gradient was not finite: nothing was updated.
  std::string first_nonfinite;  ///< The parameter whose gradient was not, when skipped.
  TimeSplit time;
};

/// One optimizer update: forward and backward of each micro-batch, clipping, the update.
class TrainStep {
 public:
  TrainStep(const Plan& plan, Session& session, const Task& task)
      : plan_(plan), session_(session), task_(task) {}

  /// The gradient is that of the mean loss over all samples of the update, however they
  /// are split. `expected_samples` is what the plan says the update has.
  StepResult run(UpdateFeed& feed, int64_t expected_samples, double learning_rate);

 private:
  void clear_gradients();
  void correct_mean(int64_t expected_samples, int64_t samples);

  const Plan& plan_;
  Session& session_;
  const Task& task_;
};

}  // namespace stoker
