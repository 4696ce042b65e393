#include "stoker/optim/sgd.h"

#include <torch/torch.h>

#include <map>

namespace stoker {

namespace {
class Sgd : public Optimizer {
 public:
  Sgd(const config::OptimizerConfig& config, std::vector<OptimizedParameter> parameters)
      : momentum_(config.momentum),
        nesterov_(config.nesterov),
        parameters_(std::move(parameters)) {
    const torch::NoGradGuard no_grad;
    for (const auto& parameter : parameters_) {
      buffers_.push_back(torch::zeros_like(parameter.tensor));
    }
  }

  void step(double learning_rate) override {
    const torch::NoGradGuard no_grad;
    // One fused call for each pair of (rate, decay).
    std::map<std::pair<double, double>, Group> groups;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      const auto& parameter = parameters_[i];
      const torch::Tensor& gradient = parameter.tensor.grad();
      if (!gradient.defined()) continue;
      Group& group = groups[{parameter.lr_scale, parameter.weight_decay}];
      group.parameters.push_back(parameter.tensor);
      group.gradients.push_back(laid_out_like(gradient, parameter.tensor));
      group.buffers.push_back(buffers_[i]);
    }
    for (auto& [kind, group] : groups) {
      torch::_fused_sgd_(group.parameters, group.gradients,
                         momentum_ > 0 ? group.buffers : std::vector<torch::Tensor>{},
                         kind.second, momentum_, learning_rate * kind.first,
                         /*dampening=*/0, nesterov_, /*maximize=*/false,
                         /*is_first_step=*/false);
    }
  }

  std::vector<std::pair<std::string, torch::Tensor>> state() const override {
    std::vector<std::pair<std::string, torch::Tensor>> named;
    if (momentum_ <= 0) return named;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      named.emplace_back(parameters_[i].name + "/momentum_buffer", buffers_[i]);
    }
    return named;
  }

 private:
  struct Group {
    std::vector<torch::Tensor> parameters, gradients, buffers;
  };

  /// The fused kernel walks flat memory, so strides must agree.
  static torch::Tensor laid_out_like(const torch::Tensor& gradient,
                                     const torch::Tensor& parameter) {
    if (gradient.strides() == parameter.strides()) return gradient;
    return torch::empty_like(parameter).copy_(gradient);
  }

  double momentum_;
  bool nesterov_;
  std::vector<OptimizedParameter> parameters_;
  std::vector<torch::Tensor> buffers_;
};
}  // namespace

std::unique_ptr<Optimizer> make_sgd(const config::OptimizerConfig& config,
                                    std::vector<OptimizedParameter> parameters) {
  return std::make_unique<Sgd>(config, std::move(parameters));
}

}  // namespace stoker
