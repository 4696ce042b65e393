#pragma once

#include <torch/nn/module.h>
#include <torch/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stoker/config/node.h"

namespace stoker {

/// A network. Parameters and buffers carry torchvision's names.
class Model : public torch::nn::Module {
 public:
  /// Images [N, C, H, W] to logits [N, classes].
  virtual torch::Tensor forward(const torch::Tensor& input) = 0;
  /// Training images that `initialise` wants to see before the first step; 0: none.
  virtual int64_t num_initial_samples() const { return 0; }
  /// Sets what depends on the data, from images [N, C, H, W] as the training sees them.
  virtual void initialise(const torch::Tensor& images) { (void)images; }
};

/// What a model is made from.
struct ModelSpec {
  std::string name;
  int64_t classes = 10;
  int64_t channels = 3;
  config::Node params;    ///< The model's own keys: `stem`, `width` ...
  bool winograd = false;  ///< 3x3 convolutions on the CPU by Winograd's way where faster.
};

/// Makes a registered model. Throws Error(kInvalid) for an unknown name (with the
/// nearest) or key. Weights come from LibTorch's default generator: seed it first.
std::shared_ptr<Model> make_model(const ModelSpec& spec);

std::vector<std::string> list_models();

/// Parameters and buffers by name, the public form of a model's weights.
std::vector<std::pair<std::string, torch::Tensor>> named_tensors(
    const torch::nn::Module& module);

/// Elements of all parameters; a parameter with two names counts once.
int64_t count_parameters(const torch::nn::Module& module);

}  // namespace stoker
