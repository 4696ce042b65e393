#include "optimizer.h"

#include <torch/torch.h>

namespace stoker {

namespace {
class SignSgd : public Optimizer {
 public:
  explicit SignSgd(std::vector<OptimizedParameter> parameters)
      : parameters_(std::move(parameters)) {}
  void step(double learning_rate) override {
    const torch::NoGradGuard no_grad;
    for (auto& [name, tensor, lr_scale, weight_decay] : parameters_) {
      if (!tensor.grad().defined()) continue;
      tensor.mul_(1 - learning_rate * weight_decay);
      tensor.sub_(tensor.grad().sign(), learning_rate * lr_scale);
    }
  }
  std::vector<std::pair<std::string, torch::Tensor>> state() const override { return {}; }

 private:
  std::vector<OptimizedParameter> parameters_;
};
}  // namespace

std::unique_ptr<Optimizer> make_sign_sgd(const config::OptimizerConfig& /*config*/,
                                         std::vector<OptimizedParameter> parameters) {
  return std::make_unique<SignSgd>(std::move(parameters));
}

}  // namespace stoker
