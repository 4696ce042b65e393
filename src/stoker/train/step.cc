#include "stoker/train/step.h"

#include <torch/torch.h>

#include <cmath>

#include "stoker/base/clock.h"

namespace stoker {

StepResult TrainStep::run(UpdateFeed& feed, int64_t expected_samples,
                          double learning_rate) {
  StepResult result;
  Stopwatch watch;
  clear_gradients();
  result.time.other += watch.restart();
  while (auto batch = feed.next()) {
    result.time.data_wait += watch.restart();
    const DeviceBatch on_device =
        to_device(*batch, plan_.device, plan_.recipe.train.channels_last);
    result.time.copy += watch.restart();
    const TaskOutput output =
        task_.run(session_.model(), on_device.input, on_device.labels);
    result.time.forward += watch.restart();
    (output.loss_sum / static_cast<double>(expected_samples)).backward();
    result.time.backward += watch.restart();
    result.samples += batch->size();
    result.loss_sum += output.loss_sum.item<double>();
    result.correct += output.correct.item<int64_t>();
    result.time.other += watch.restart();
  }
  result.time.data_wait += watch.restart();
  if (result.samples == 0) return result;
  correct_mean(expected_samples, result.samples);
  result.gradient_norm =
      clip_gradient_norm(session_.parameters(), plan_.recipe.train.clip_norm);
  if (!std::isfinite(result.gradient_norm)) {
    result.skipped = true;
    result.first_nonfinite = first_nonfinite_gradient(session_.parameters());
  } else {
    session_.optimizer().step(learning_rate);
  }
  result.time.optimizer += watch.restart();
  return result;
}

void TrainStep::clear_gradients() {
  for (const auto& parameter : session_.parameters()) {
    torch::Tensor tensor = parameter.tensor;
    tensor.mutable_grad() = torch::Tensor();
  }
}

/// Bad samples made the update smaller than planned: the mean is over those that were
/// there.
void TrainStep::correct_mean(int64_t expected_samples, int64_t samples) {
  if (samples == expected_samples) return;
  const torch::NoGradGuard no_grad;
  const double factor =
      static_cast<double>(expected_samples) / static_cast<double>(samples);
  for (const auto& parameter : session_.parameters()) {
    if (parameter.tensor.grad().defined()) parameter.tensor.grad().mul_(factor);
  }
}

}  // namespace stoker
