#pragma once

#include <cstdint>
#include <optional>

#include "stoker/checkpoint/store.h"
#include "stoker/events/events.h"

namespace stoker {

/// Where a training stands: what a checkpoint keeps beside tensors.
struct ProgressState {
  int64_t step = 0;           ///< Updates taken, skipped ones included.
  int64_t epoch = 0;          ///< The epoch that goes on, from 0.
  int64_t step_in_epoch = 0;  ///< Updates of that epoch taken.
  int64_t skipped = 0;
  int64_t epoch_samples = 0;
  int64_t epoch_correct = 0;
  double epoch_loss_sum = 0;
  std::optional<EvaluationDone> best;

  void start_epoch(int64_t number);
  void write(TrainingState& state) const;
  static ProgressState from(const TrainingState& state);
};

}  // namespace stoker
