// Ten updates of ResNet-20 on real images against torch.optim.SGD.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "reference.h"
#include "stoker/optim/optimizer.h"
#include "stoker/train/session.h"
#include "stoker/train/task.h"

namespace stoker::parity {
namespace {

constexpr int64_t kBatch = 8;
constexpr int64_t kImages = 40;
constexpr double kRate = 0.02;

struct Case {
  const char* name;
  bool nesterov;
  bool decay_norm_and_bias;
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

class Sgd : public testing::TestWithParam<Case> {
 protected:
  /// Losses of `steps` updates.
  std::vector<double> train(torch::ScalarType type, bool channels_last, int64_t steps) {
    config::OptimizerConfig config;
    config.momentum = 0.9;
    config.nesterov = GetParam().nesterov;
    config.weight_decay = 5e-4;
    config.decay_norm_and_bias = GetParam().decay_norm_and_bias;
    model_ = reference_model("resnet20");
    model_->to(type);
    lay_out(*model_, channels_last);
    model_->train();
    std::vector<std::pair<std::string, torch::Tensor>> named;
    for (const auto& item : model_->named_parameters()) {
      named.emplace_back(item.key(), item.value());
    }
    const auto optimizer = make_optimizer(config, optimized_parameters(named, config));
    const ImageClassification task(0, {});
    std::vector<double> losses;
    for (int64_t step = 0; step < steps; ++step) {
      const int64_t first = step * kBatch % kImages;
      const auto input =
          normalised(inputs_.at("cifar").narrow(0, first, kBatch), Preset::kCifar10);
      const auto output = task.run(
          *model_,
          input.to(type).contiguous(channels_last ? torch::MemoryFormat::ChannelsLast
                                                  : torch::MemoryFormat::Contiguous),
          inputs_.at("cifar_labels").narrow(0, first, kBatch));
      const auto loss = output.loss_sum / static_cast<double>(kBatch);
      model_->zero_grad();
      loss.backward();
      optimizer->step(kRate);
      losses.push_back(loss.item<double>());
    }
    return losses;
  }
  torch::Tensor expected(const std::string& name) const {
    return golden_.at(std::string(GetParam().name) + "/" + name);
  }
  std::shared_ptr<Model> model_;
  GoldenTensors inputs_{"inputs.safetensors"};
  GoldenTensors golden_{"training.safetensors"};
};

TEST_P(Sgd, FollowsPyTorchForTenStepsInFloat64) {
  const auto losses = train(torch::kFloat64, false, 10);
  const auto exact = expected("losses");
  for (size_t step = 0; step < losses.size(); ++step) {
    EXPECT_NEAR(losses[step], exact[static_cast<int64_t>(step)].item<double>(), 1e-9)
        << "step " << step;
  }
  for (const auto& item : model_->named_parameters()) {
    const torch::Tensor& parameter = item.value();
    EXPECT_LT(relative_error(parameter.norm(), expected("norm/" + item.key())), 1e-9)
        << item.key();
    const auto flat = parameter.detach().flatten();
    const int64_t last = flat.numel() - 1;
    const auto picked =
        flat.index_select(0, torch::tensor({int64_t{0}, last / 3, 2 * last / 3, last}));
    EXPECT_LT(relative_error(picked, expected("elements/" + item.key())), 1e-8)
        << item.key();
  }
}

// Longer runs in float32 part ways, PyTorch's own too: see tests/golden/README.md.
TEST_P(Sgd, TakesPyTorchsFirstStepInFloat32InBothMemoryLayouts) {
  for (const bool channels_last : {false, true}) {
    const auto losses = train(torch::kFloat32, channels_last, 2);
    EXPECT_NEAR(losses[0], expected("losses")[0].item<double>(), 1e-5);
    EXPECT_NEAR(losses[1], expected("losses")[1].item<double>(), 5e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Sgd,
                         testing::Values(Case{"momentum", false, true},
                                         Case{"nesterov", true, true},
                                         Case{"nesterov_no_norm_decay", true, false}),
                         [](const auto& chosen) { return chosen.param.name; });

}  // namespace
}  // namespace stoker::parity
