#pragma once

#include "stoker/methods/method.h"

namespace stoker::detail {

/// Copies of the floating tensors of a model that move slowly towards them.
class WeightAverage {
 public:
  explicit WeightAverage(const ModelTensors& model);
  /// average = keep * average + (1 - keep) * model.
  void move(double keep);
  /// Copies the average into the model.
  void copy_to_model() const;
  /// Exchanges average and model.
  void swap_with_model();
  ModelTensors named(const std::string& prefix) const;

 private:
  std::vector<std::string> names_;
  std::vector<torch::Tensor> model_;
  std::vector<torch::Tensor> average_;
};

}  // namespace stoker::detail
