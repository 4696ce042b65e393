#include "stoker/train/task.h"

#include <torch/torch.h>

namespace stoker {

TaskOutput ImageClassification::run(Model& model, const torch::Tensor& input,
                                    const torch::Tensor& labels) const {
  torch::Tensor logits = model.forward(input);
  if (flip_ && !model.is_training()) {
    logits = (logits + model.forward(input.flip(3))) / 2;
  }
  const auto options = torch::nn::functional::CrossEntropyFuncOptions()
                           .reduction(torch::kSum)
                           .label_smoothing(model.is_training() ? label_smoothing_ : 0);
  return {torch::nn::functional::cross_entropy(logits, labels, options),
          (logits.detach().argmax(1) == labels).sum()};
}

}  // namespace stoker
