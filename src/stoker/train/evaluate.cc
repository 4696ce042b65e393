#include "stoker/train/evaluate.h"

#include <torch/torch.h>

#include "stoker/base/clock.h"
#include "stoker/train/feed.h"

namespace stoker {

namespace {
/// Evaluation mode for as long as it lives.
class EvaluationMode {
 public:
  explicit EvaluationMode(Model& model)
      : model_(model), was_training_(model.is_training()) {
    model_.eval();
  }
  EvaluationMode(const EvaluationMode&) = delete;
  EvaluationMode& operator=(const EvaluationMode&) = delete;
  ~EvaluationMode() { model_.train(was_training_); }

 private:
  Model& model_;
  bool was_training_;
};
}  // namespace

EvaluationResult evaluate(Model& model, const Task& task, const PlannedData& data,
                          const config::Recipe& recipe, const torch::Device& device,
                          int64_t max_workers, const std::atomic<int>* stop) {
  const torch::InferenceMode no_grad;
  const EvaluationMode mode(model);
  const Stopwatch watch;
  data::LoaderOptions options;
  options.order = {data.num_records(), recipe.seed, /*shuffle=*/false};
  options.batch = recipe.train.eval_batch.value_or(recipe.train.batch);
  options.workers = recipe.data.workers;
  options.max_workers = max_workers;
  options.queue_bytes = recipe.data.queue_mib << 20;
  options.max_bad_samples = recipe.data.max_bad_samples;
  data::Loader loader(data.source, data.program, options);
  EvaluationResult result;
  while (auto batch = loader.next()) {
    if (stop != nullptr && *stop != 0) break;
    const DeviceBatch on_device = to_device(*batch, device, recipe.train.channels_last);
    const TaskOutput output = task.run(model, on_device.input, on_device.labels);
    result.samples += batch->size();
    result.correct += output.correct.item<int64_t>();
    result.loss_sum += output.loss_sum.item<double>();
  }
  result.bad_records = loader.bad_records();
  result.seconds = watch.seconds();
  return result;
}

}  // namespace stoker
