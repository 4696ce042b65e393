#pragma once

#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stoker/config/recipe.h"

namespace stoker {

/// What a method works on: all parameters and buffers of the model, by name.
using ModelTensors = std::vector<std::pair<std::string, torch::Tensor>>;

/// One technique added to a training; reacts to the events of the step.
class Method {
 public:
  virtual ~Method() = default;
  /// After update number `step` (from 1) of `total_steps`.
  virtual void after_update(int64_t step, int64_t total_steps) = 0;
  /// Puts the weights that are to be judged and published into the model; the result is
  /// called when training goes on.
  virtual void use_published_weights() {}
  virtual void use_training_weights() {}
  /// State by name: the tensors themselves, so that a checkpoint can be copied into them.
  virtual ModelTensors state() const { return {}; }
};

/// Throws Error(kInvalid) for an unknown name, with the nearest, and for unknown
/// parameters.
std::unique_ptr<Method> make_method(const config::NamedConfig& config,
                                    const ModelTensors& model);
std::vector<std::string> list_methods();

}  // namespace stoker
