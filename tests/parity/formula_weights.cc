#include "formula_weights.h"

#include <torch/torch.h>

#include <cmath>
#include <set>
#include <string>

#include "golden.h"

namespace stoker::parity {
namespace {

/// A number in [-0.5, 0.5).
double uniform(uint32_t key, int64_t i) {
  auto h = static_cast<uint32_t>(i) * 2654435761U + key;
  h ^= h >> 15;
  h *= 2246822519U;
  h ^= h >> 13;
  return static_cast<double>(h) / 4294967296.0 - 0.5;
}

struct Line {
  double at_zero;
  double slope;
};

/// How a tensor's values depend on the numbers.
Line line_of(const std::string& kind, const torch::Tensor& tensor, bool is_norm) {
  if (kind == "running_var" || (kind == "weight" && is_norm)) return {1, 0.2};
  if (kind == "running_mean" || (kind == "bias" && !is_norm)) return {0, 0.1};
  if (kind == "bias") return {0, 0.2};
  const auto fan_in = static_cast<double>(tensor.numel() / tensor.size(0));
  return {0, 2 * std::sqrt(3.0) * std::sqrt(2 / fan_in) * 0.7};
}

std::pair<std::string, std::string> split(const std::string& name) {
  const size_t dot = name.rfind('.');
  return {name.substr(0, dot), name.substr(dot + 1)};
}

}  // namespace

void fill_by_formula(const NamedTensors& tensors) {
  const torch::NoGradGuard no_grad;
  std::set<std::string> norms;
  for (const auto& [name, tensor] : tensors) {
    const auto [module, kind] = split(name);
    if (kind == "running_mean") norms.insert(module);
  }
  for (auto& [name, target] : tensors) {
    const auto [module, kind] = split(name);
    if (kind == "num_batches_tracked") {
      target.zero_();
      continue;
    }
    const Line line = line_of(kind, target, norms.contains(module));
    const uint32_t key = crc32(name.data(), name.size()) * 40503U + 12345U;
    const torch::Tensor values = torch::empty(target.sizes(), torch::kFloat32);
    auto* to = values.data_ptr<float>();
    for (int64_t i = 0; i < values.numel(); ++i) {
      to[i] = static_cast<float>(line.at_zero + uniform(key, i) * line.slope);
    }
    target.copy_(values);
  }
}

}  // namespace stoker::parity
