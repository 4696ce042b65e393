#include "stoker/methods/detail/average.h"

#include <torch/torch.h>

namespace stoker::detail {

WeightAverage::WeightAverage(const ModelTensors& model) {
  const torch::NoGradGuard no_grad;
  for (const auto& [name, tensor] : model) {
    if (!tensor.is_floating_point()) continue;
    names_.push_back(name);
    model_.push_back(tensor.detach());
    average_.push_back(tensor.detach().clone());
  }
}

void WeightAverage::move(double keep) {
  const torch::NoGradGuard no_grad;
  torch::_foreach_lerp_(average_, model_, 1 - keep);
}

void WeightAverage::copy_to_model() const {
  const torch::NoGradGuard no_grad;
  torch::_foreach_copy_(model_, average_);
}

void WeightAverage::swap_with_model() {
  const torch::NoGradGuard no_grad;
  for (size_t i = 0; i < model_.size(); ++i) {
    const auto held = model_[i].clone();
    model_[i].copy_(average_[i]);
    average_[i].copy_(held);
  }
}

ModelTensors WeightAverage::named(const std::string& prefix) const {
  ModelTensors named;
  for (size_t i = 0; i < names_.size(); ++i)
    named.emplace_back(prefix + names_[i], average_[i]);
  return named;
}

}  // namespace stoker::detail
