#include "reference.h"

#include <torch/torch.h>

#include <stdexcept>

#include "formula_weights.h"
#include "golden.h"

namespace stoker::parity {
namespace {

config::Node text(const char* value) { return {std::string(value), {"parity", 0}}; }

ModelSpec spec_of(const std::string& name) {
  config::Node::Table keys;
  std::string model = name;
  int64_t classes = 10;
  if (name == "resnet18_cifar") {
    model = "resnet18";
    keys.emplace_back("stem", text("cifar"));
  } else if (name == "resnet56_b") {
    model = "resnet56";
    keys.emplace_back("shortcut", text("B"));
  } else if (name != "resnet20" && name != "resnet56") {
    classes = 1000;
  }
  return {model, classes, 3, config::Node(std::move(keys), {"parity", 0})};
}

}  // namespace

GoldenTensors::GoldenTensors(const std::string& file) {
  for (const auto& [name, tensor] : read_safetensors(golden_path(file)).tensors) {
    tensors_.emplace(name, tensor);
  }
}

const torch::Tensor& GoldenTensors::at(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) throw std::runtime_error("no reference for " + name);
  return found->second;
}

std::shared_ptr<Model> reference_model(const std::string& name) {
  torch::set_num_threads(1);  // Tests run beside others; waiting threads would starve.
  auto model = make_model(spec_of(name));
  fill_by_formula(named_tensors(*model));
  return model;
}

torch::Tensor normalised(const torch::Tensor& images, Preset preset) {
  const bool cifar = preset == Preset::kCifar10;
  const auto mean = cifar ? torch::tensor({0.4914F, 0.4822F, 0.4465F})
                          : torch::tensor({0.485F, 0.456F, 0.406F});
  const auto deviation = cifar ? torch::tensor({0.2470F, 0.2435F, 0.2616F})
                               : torch::tensor({0.229F, 0.224F, 0.225F});
  return (images.to(torch::kFloat32) / 255 - mean.view({1, 3, 1, 1})) /
         deviation.view({1, 3, 1, 1});
}

double relative_error(const torch::Tensor& got, const torch::Tensor& expected) {
  const auto exact = expected.to(torch::kFloat64);
  const auto difference = (got.detach().to(torch::kFloat64) - exact).abs().max();
  return (difference / exact.abs().max()).item<double>();
}

}  // namespace stoker::parity
