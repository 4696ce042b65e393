#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "stoker/config/recipe.h"

namespace stoker {

/// The length of a training in updates.
struct TrainingLength {
  int64_t steps_per_epoch = 1;
  int64_t epochs = 1;
  int64_t total_steps() const { return steps_per_epoch * epochs; }
};

/// The learning rate of update `step` (from 0), a pure function.
///
/// Warm-up over n updates (or epochs, with `unit = "epoch"`) rises from `from` to `lr`:
/// from + (lr - from) t / n, or lr (t + 1) / n where `from` is not given. Then `cosine`
/// to `to` (Loshchilov and Hutter, "SGDR", 2017), `linear` to `to`, `step`, `multi_step`,
/// `constant`.
double learning_rate(const config::ScheduleConfig& schedule, double lr, int64_t step,
                     const TrainingLength& length);

/// Throws Error(kInvalid) for an unknown name or a warm-up longer than the training.
void check_schedule(const config::ScheduleConfig& schedule, const TrainingLength& length);

std::vector<std::string> list_schedules();

}  // namespace stoker
