#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stoker/config/recipe.h"

namespace stoker {

/// A parameter and how it is treated.
struct OptimizedParameter {
  std::string name;
  torch::Tensor tensor;
  double lr_scale = 1;
  double weight_decay = 0;
};

/// Updates parameters from their gradients.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// One update with this learning rate; parameters without a gradient stay.
  virtual void step(double learning_rate) = 0;
  /// State by name ("<parameter>/momentum_buffer"): the tensors themselves, so that a
  /// checkpoint can be copied into them.
  virtual std::vector<std::pair<std::string, torch::Tensor>> state() const = 0;
};

/// Applies the recipe's rules to the trainable ones of `parameters`: no decay for biases
/// and norm parameters (those with at most one dimension) unless asked, and their scale
/// of the rate.
std::vector<OptimizedParameter> optimized_parameters(
    const std::vector<std::pair<std::string, torch::Tensor>>& parameters,
    const config::OptimizerConfig& config);

/// Throws Error(kInvalid) for an unknown name, with the nearest.
std::unique_ptr<Optimizer> make_optimizer(const config::OptimizerConfig& config,
                                          std::vector<OptimizedParameter> parameters);
std::vector<std::string> list_optimizers();

/// Scales the gradients of `parameters` so that their joint L2 norm is at most `max_norm`
/// (not above 0: only measures). Returns the norm before, which is right also where the
/// sum of squares overflows fp32.
double clip_gradient_norm(const std::vector<OptimizedParameter>& parameters,
                          double max_norm);

/// The name of the first parameter whose gradient holds a NaN or an infinity, or "".
std::string first_nonfinite_gradient(const std::vector<OptimizedParameter>& parameters);

}  // namespace stoker
