// Our models against PyTorch's with the same weights, on real images.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <set>

#include "golden.h"
#include "reference.h"
#include "stoker/train/session.h"
#include "stoker/train/task.h"

namespace stoker::parity {
namespace {

constexpr int64_t kBatch = 8;

struct Case {
  const char* name;
  const char* model;
  const char* input;
  Preset preset;
};

void PrintTo(const Case& each, std::ostream* out) { *out << each.name; }

const Case kCases[] = {
    {"resnet18_224", "resnet18", "imagenet_224", Preset::kImagenet},
    {"resnet18_64", "resnet18", "imagenet_64", Preset::kImagenet},
    {"resnet34_64", "resnet34", "imagenet_64", Preset::kImagenet},
    {"resnet50_64", "resnet50", "imagenet_64", Preset::kImagenet},
    {"resnet18_cifar", "resnet18_cifar", "cifar", Preset::kCifar10},
    {"resnet20", "resnet20", "cifar", Preset::kCifar10},
    {"resnet56", "resnet56", "cifar", Preset::kCifar10},
    {"resnet56_b", "resnet56_b", "cifar", Preset::kCifar10},
};

class Logits : public testing::TestWithParam<Case> {};

TEST_P(Logits, EqualPyTorchsInBothMemoryLayouts) {
  const Case& each = GetParam();
  const auto model = reference_model(each.model);
  model->eval();
  const auto images = GoldenTensors("inputs.safetensors").at(each.input);
  const auto expected =
      GoldenTensors("models.safetensors").at(std::string(each.name) + "/logits");
  const auto input =
      normalised(images.narrow(0, 0, std::min(kBatch, images.size(0))), each.preset);
  const torch::NoGradGuard no_grad;
  for (const bool channels_last : {false, true}) {
    lay_out(*model, channels_last);
    const auto format = channels_last ? torch::MemoryFormat::ChannelsLast
                                      : torch::MemoryFormat::Contiguous;
    const auto logits = model->forward(input.contiguous(format));
    ASSERT_EQ(logits.sizes(), expected.sizes());
    EXPECT_LT(relative_error(logits, expected), 1e-4)
        << "channels_last " << channels_last;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Logits, testing::ValuesIn(kCases),
                         [](const auto& chosen) { return chosen.param.name; });

TEST(NamesAndShapes, AreTorchvisionsStateDict) {
  const auto shapes = golden_json("shapes.json");
  for (const auto& [name, expected] : shapes.items()) {
    std::set<std::string> names;
    for (const auto& [key, tensor] : named_tensors(*reference_model(name))) {
      names.insert(key);
      ASSERT_TRUE(expected.contains(key)) << name << " " << key;
      EXPECT_EQ(tensor.sizes().vec(), expected[key].get<std::vector<int64_t>>()) << key;
    }
    EXPECT_EQ(names.size(), expected.size()) << name;
  }
}

struct Pass {
  const char* model;
  double smoothing;
  const char* reference;
};

void PrintTo(const Pass& each, std::ostream* out) { *out << each.reference; }

class TrainingPass : public testing::TestWithParam<Pass> {
 protected:
  void run(torch::ScalarType type) {
    const GoldenTensors inputs("inputs.safetensors");
    model_ = reference_model(GetParam().model);
    model_->to(type);
    model_->train();
    const ImageClassification task(GetParam().smoothing, {});
    const auto output = task.run(
        *model_,
        normalised(inputs.at("cifar").narrow(0, 0, kBatch), Preset::kCifar10).to(type),
        inputs.at("cifar_labels").narrow(0, 0, kBatch));
    loss_ = output.loss_sum / static_cast<double>(kBatch);
    loss_.backward();
  }
  torch::Tensor expected(const std::string& name) const {
    return golden_.at(std::string(GetParam().reference) + "/" + name);
  }
  /// Largest difference of a gradient norm: relative to that norm, and to the joint one.
  std::pair<double, double> gradient_errors() const {
    double worst = 0;
    double joint = 0;
    double largest = 0;
    for (const auto& item : model_->named_parameters()) {
      const double norm = item.value().grad().to(torch::kFloat64).norm().item<double>();
      const double exact = expected("gradient_norm/" + item.key()).item<double>();
      worst = std::max(worst, std::abs(norm / exact - 1));
      largest = std::max(largest, std::abs(norm - exact));
      joint += exact * exact;
    }
    return {worst, largest / std::sqrt(joint)};
  }
  std::shared_ptr<Model> model_;
  torch::Tensor loss_;
  GoldenTensors golden_{"models.safetensors"};
};

TEST_P(TrainingPass, HasPyTorchsLossAndGradientsInFloat64) {
  run(torch::kFloat64);
  EXPECT_LT(relative_error(loss_, expected("loss")), 1e-9);
  EXPECT_LT(gradient_errors().first, 1e-8);
}

// A pre-activation near 0 may fall on the other side of a ReLU in float32: PyTorch's own
// float32 gradients are up to 6e-4 from its float64 ones.
TEST_P(TrainingPass, HasPyTorchsLossAndGradientsInFloat32) {
  run(torch::kFloat32);
  EXPECT_LT(relative_error(loss_, expected("loss")), 1e-5);
  EXPECT_LT(gradient_errors().first, 3e-3);
  EXPECT_LT(gradient_errors().second, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(
    Models, TrainingPass,
    testing::Values(Pass{"resnet18_cifar", 0, "resnet18_cifar/smoothing_0.0"},
                    Pass{"resnet18_cifar", 0.1, "resnet18_cifar/smoothing_0.1"},
                    Pass{"resnet20", 0, "resnet20/smoothing_0.0"},
                    Pass{"resnet20", 0.1, "resnet20/smoothing_0.1"}),
    [](const auto& chosen) {
      return std::string(chosen.param.model) +
             (chosen.param.smoothing > 0 ? "_smooth" : "");
    });

class RunningStatistics : public TrainingPass {};

TEST_P(RunningStatistics, EqualPyTorchsAfterOnePass) {
  run(torch::kFloat32);
  for (const auto& item : model_->named_buffers()) {
    const auto exact = expected("buffer/" + item.key());
    if (item.key().ends_with("num_batches_tracked")) {
      EXPECT_EQ(item.value().item<int64_t>(), exact.item<int64_t>()) << item.key();
    } else {
      EXPECT_LT(relative_error(item.value(), exact), 1e-5) << item.key();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, RunningStatistics,
                         testing::Values(Pass{"resnet18_cifar", 0,
                                              "resnet18_cifar/smoothing_0.0"},
                                         Pass{"resnet20", 0, "resnet20/smoothing_0.0"}),
                         [](const auto& chosen) { return chosen.param.model; });

}  // namespace
}  // namespace stoker::parity
