#pragma once

#include <torch/types.h>

#include <map>
#include <memory>
#include <string>

#include "stoker/models/model.h"

namespace stoker::parity {

/// The tensors of a file of tests/golden.
class GoldenTensors {
 public:
  explicit GoldenTensors(const std::string& file);
  const torch::Tensor& at(const std::string& name) const;

 private:
  std::map<std::string, torch::Tensor> tensors_;
};

/// Our model for a name of tests/golden/nets.py, with the weights of the formula.
std::shared_ptr<Model> reference_model(const std::string& name);

enum class Preset { kCifar10, kImagenet };
/// uint8 [N, 3, H, W] to the input of a model, normalised in float32.
torch::Tensor normalised(const torch::Tensor& images, Preset preset);

/// Largest difference, relative to the largest expected value.
double relative_error(const torch::Tensor& got, const torch::Tensor& expected);

}  // namespace stoker::parity
