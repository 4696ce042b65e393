#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stoker/checkpoint/store.h"
#include "stoker/events/events.h"
#include "stoker/train/plan.h"
#include "stoker/train/task.h"

namespace stoker {

struct RunOptions {
  std::filesystem::path folder;         ///< Of this run; exists.
  std::optional<TrainingState> resume;  ///< Where to go on.
  std::string resume_command;           ///< For the person, when the run is interrupted.
  const std::atomic<int>* stop = nullptr;  ///< Not zero: finish the step, save, return.
  std::vector<std::pair<std::string, std::string>>
      outputs;                       ///< What the listeners write.
  std::shared_ptr<Model> model;      ///< Instead of the recipe's.
  std::shared_ptr<const Task> task;  ///< Instead of image classification.
};

/// Trains by the plan: tells events, writes checkpoints into `<folder>/checkpoints`.
/// Returns what it also told as the last event. Throws Error when the training cannot go
/// on; the newest checkpoint then stays as it is.
RunFinished train(const Plan& plan, const Events& events, const RunOptions& options);

/// Refuses to go on from a checkpoint of another training: throws Error(kInvalid) that
/// names the fields, with the checkpoint's and the recipe's values.
void check_resume(const Plan& plan, const TrainingState& state);

}  // namespace stoker
