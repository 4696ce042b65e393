#include "stoker/train/task.h"

#include <torch/torch.h>

namespace stoker {

namespace {
torch::Tensor flipped_mean(Model& model, const torch::Tensor& input, bool flip) {
  const torch::Tensor logits = model.forward(input);
  return flip ? (logits + model.forward(input.flip(3))) / 2 : logits;
}

/// The image half, the views shifted to the upper left and to the lower right a quarter
/// each.
torch::Tensor logits_of_views(Model& model, const torch::Tensor& input,
                              const EvaluationViews& views) {
  const torch::Tensor whole = flipped_mean(model, input, views.flip);
  if (views.shift == 0) return whole;
  const auto padded = torch::reflection_pad2d(
      input, {views.shift, views.shift, views.shift, views.shift});
  const auto view_from = [&](int64_t corner) {
    const auto view = padded.narrow(2, corner, input.size(2))
                          .narrow(3, corner, input.size(3))
                          .contiguous(input.suggest_memory_format());
    return flipped_mean(model, view, views.flip);
  };
  return whole / 2 + (view_from(0) + view_from(2 * views.shift)) / 4;
}
}  // namespace

TaskOutput ImageClassification::run(Model& model, const torch::Tensor& input,
                                    const torch::Tensor& labels) const {
  const torch::Tensor logits =
      model.is_training() ? model.forward(input) : logits_of_views(model, input, views_);
  const auto options = torch::nn::functional::CrossEntropyFuncOptions()
                           .reduction(torch::kSum)
                           .label_smoothing(model.is_training() ? label_smoothing_ : 0);
  return {torch::nn::functional::cross_entropy(logits, labels, options),
          (logits.detach().argmax(1) == labels).sum()};
}

}  // namespace stoker
