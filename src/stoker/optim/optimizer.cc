#include "stoker/optim/optimizer.h"

#include <torch/torch.h>

#include <cmath>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/optim/sgd.h"

namespace stoker {

namespace {
struct Entry {
  const char* name;
  std::unique_ptr<Optimizer> (*make)(const config::OptimizerConfig&,
                                     std::vector<OptimizedParameter>);
};

// One line an optimizer.
constexpr Entry kOptimizers[] = {
    {"sgd", make_sgd},
};
}  // namespace

std::vector<std::string> list_optimizers() {
  std::vector<std::string> names;
  for (const Entry& entry : kOptimizers) names.emplace_back(entry.name);
  return names;
}

std::vector<OptimizedParameter> optimized_parameters(
    const std::vector<std::pair<std::string, torch::Tensor>>& parameters,
    const config::OptimizerConfig& config) {
  std::vector<OptimizedParameter> chosen;
  for (const auto& [name, tensor] : parameters) {
    if (!tensor.requires_grad()) continue;
    const bool norm_or_bias = tensor.dim() <= 1;
    const bool decays = !norm_or_bias || config.decay_norm_and_bias;
    chosen.push_back({name, tensor, norm_or_bias ? config.norm_and_bias_lr_scale : 1,
                      decays ? config.weight_decay : 0});
  }
  return chosen;
}

std::unique_ptr<Optimizer> make_optimizer(const config::OptimizerConfig& config,
                                          std::vector<OptimizedParameter> parameters) {
  for (const Entry& entry : kOptimizers) {
    if (config.name == entry.name) return entry.make(config, std::move(parameters));
  }
  throw Error(ErrorCode::kInvalid,
              cat("[optim] optimizer.name: expected a known optimizer, got '",
                  config.name, "'", suggestion(config.name, list_optimizers())));
}

double clip_gradient_norm(const std::vector<OptimizedParameter>& parameters,
                          double max_norm) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> gradients;
  for (const auto& parameter : parameters) {
    if (parameter.tensor.grad().defined()) gradients.push_back(parameter.tensor.grad());
  }
  if (gradients.empty()) return 0;
  const auto norms = torch::stack(torch::_foreach_norm(gradients, 2, torch::kFloat64));
  const double norm = norms.norm().item<double>();
  if (max_norm > 0 && norm > max_norm && std::isfinite(norm)) {
    torch::_foreach_mul_(gradients, max_norm / norm);
  }
  return norm;
}

std::string first_nonfinite_gradient(const std::vector<OptimizedParameter>& parameters) {
  for (const auto& parameter : parameters) {
    const torch::Tensor& gradient = parameter.tensor.grad();
    if (gradient.defined() && !gradient.isfinite().all().item<bool>())
      return parameter.name;
  }
  return {};
}

}  // namespace stoker
