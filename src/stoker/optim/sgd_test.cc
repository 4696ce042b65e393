#include <gtest/gtest.h>
#include <torch/torch.h>

#include <limits>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/optim/optimizer.h"

namespace stoker {
namespace {

using Named = std::vector<std::pair<std::string, torch::Tensor>>;

torch::Tensor parameter(std::vector<double> values, std::vector<int64_t> shape) {
  return torch::tensor(values, torch::kFloat32).view(shape).requires_grad_();
}

config::OptimizerConfig sgd(double momentum, double decay, bool nesterov = false) {
  config::OptimizerConfig config;
  config.momentum = momentum;
  config.weight_decay = decay;
  config.nesterov = nesterov;
  return config;
}

TEST(Sgd, FollowsMomentumNesterovAndDecayByHand) {
  auto weight = parameter({1.0}, {1, 1});
  auto optimizer = make_optimizer(sgd(0.9, 0.1, true),
                                  optimized_parameters({{"w", weight}}, sgd(0.9, 0.1)));
  // g = 0.5 + 0.1 w; buffer = 0.9 buffer + g; w -= 0.1 (g + 0.9 buffer).
  double w = 1.0;
  double buffer = 0;
  for (int step = 0; step < 3; ++step) {
    weight.mutable_grad() = torch::full({1, 1}, 0.5);
    optimizer->step(0.1);
    const double g = 0.5 + 0.1 * w;
    buffer = 0.9 * buffer + g;
    w -= 0.1 * (g + 0.9 * buffer);
    EXPECT_NEAR(weight.item<double>(), w, 1e-6);
  }
}

TEST(Sgd, LeavesBiasesAndNormParametersUndecayedUnlessAsked) {
  for (const bool asked : {false, true}) {
    auto weight = parameter({1.0}, {1, 1});
    auto bias = parameter({1.0}, {1});
    auto config = sgd(0, 0.5);
    config.decay_norm_and_bias = asked;
    auto optimizer = make_optimizer(
        config, optimized_parameters({{"fc.weight", weight}, {"fc.bias", bias}}, config));
    weight.mutable_grad() = torch::zeros({1, 1});
    bias.mutable_grad() = torch::zeros({1});
    optimizer->step(0.1);
    EXPECT_NEAR(weight.item<double>(), 0.95, 1e-7);
    EXPECT_NEAR(bias.item<double>(), asked ? 0.95 : 1.0, 1e-7);
  }
}

TEST(Sgd, AgreesForChannelsLastWeightsWithPlainGradients) {
  torch::manual_seed(1);
  const auto start = torch::randn({4, 3, 3, 3});
  const auto gradient = torch::randn({4, 3, 3, 3});
  auto weight =
      start.contiguous(torch::MemoryFormat::ChannelsLast).clone().requires_grad_();
  auto optimizer =
      make_optimizer(sgd(0.9, 0), optimized_parameters({{"conv", weight}}, sgd(0.9, 0)));
  weight.mutable_grad() = gradient.clone();
  optimizer->step(0.1);
  EXPECT_TRUE(torch::allclose(weight.detach(), start - 0.1 * gradient, 1e-6, 1e-7));
}

TEST(Sgd, ScalesTheRateOfNormAndBias) {
  auto weight = parameter({0.0}, {1, 1});
  auto bias = parameter({0.0}, {1});
  auto config = sgd(0, 0);
  config.norm_and_bias_lr_scale = 64;
  auto optimizer = make_optimizer(
      config, optimized_parameters({{"fc.weight", weight}, {"fc.bias", bias}}, config));
  weight.mutable_grad() = torch::ones({1, 1});
  bias.mutable_grad() = torch::ones({1});
  optimizer->step(0.01);
  EXPECT_NEAR(weight.item<double>(), -0.01, 1e-8);
  EXPECT_NEAR(bias.item<double>(), -0.64, 1e-7);
}

TEST(ClipGradientNorm, IsRightWhereTheSumOfSquaresOverflows) {
  Named named;
  for (int i = 0; i < 100; ++i) {
    auto weight = parameter({0.0}, {1, 1});
    weight.mutable_grad() = torch::full({1, 1}, 1e20);
    named.emplace_back(cat("w", i), weight);
  }
  const auto parameters = optimized_parameters(named, sgd(0, 0));
  EXPECT_NEAR(clip_gradient_norm(parameters, 1.0) / 1e21, 1.0, 1e-6);
  for (const auto& item : parameters)
    EXPECT_NEAR(item.tensor.grad().item<double>(), 0.1, 1e-7);
}

TEST(ClipGradientNorm, LeavesSmallGradientsAlone) {
  auto weight = parameter({0.0, 0.0}, {1, 2});
  weight.mutable_grad() = torch::tensor({{0.3F, 0.4F}});
  const auto parameters = optimized_parameters({{"w", weight}}, sgd(0, 0));
  EXPECT_NEAR(clip_gradient_norm(parameters, 1.0), 0.5, 1e-6);
  EXPECT_TRUE(torch::equal(weight.grad(), torch::tensor({{0.3F, 0.4F}})));
}

TEST(FirstNonfiniteGradient, NamesTheParameter) {
  auto good = parameter({0.0}, {1, 1});
  auto bad = parameter({0.0}, {1, 1});
  good.mutable_grad() = torch::ones({1, 1});
  bad.mutable_grad() = torch::full({1, 1}, std::numeric_limits<float>::infinity());
  EXPECT_EQ(first_nonfinite_gradient(optimized_parameters(
                {{"conv.weight", good}, {"fc.weight", bad}}, sgd(0, 0))),
            "fc.weight");
}

TEST(MakeOptimizer, SuggestsTheNearestName) {
  auto config = sgd(0, 0);
  config.name = "sdg";
  try {
    make_optimizer(config, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'sgd'"), std::string::npos);
  }
}

}  // namespace
}  // namespace stoker
