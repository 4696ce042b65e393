#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "stoker/data/pipeline/loader.h"
#include "stoker/train/plan.h"
#include "stoker/train/task.h"

namespace stoker {

/// Counts over a data set, each sample once.
struct EvaluationResult {
  int64_t samples = 0;
  int64_t correct = 0;
  double loss_sum = 0;
  double seconds = 0;
  std::vector<data::BadRecord> bad_records;
  double accuracy() const {
    return samples > 0 ? static_cast<double>(correct) / static_cast<double>(samples) : 0;
  }
  double loss() const {
    return samples > 0 ? loss_sum / static_cast<double>(samples) : 0;
  }
};

/// Runs the model over all of `data` in evaluation mode and puts it back into training
/// mode if it was. Ends early, with what was counted, when `stop` is set.
EvaluationResult evaluate(Model& model, const Task& task, const PlannedData& data,
                          const config::Recipe& recipe, const torch::Device& device,
                          int64_t max_workers, const std::atomic<int>* stop);

}  // namespace stoker
