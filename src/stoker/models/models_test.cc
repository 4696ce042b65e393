#include <gtest/gtest.h>
#include <torch/torch.h>

#include <map>
#include <set>

#include "stoker/base/error.h"
#include "stoker/models/model.h"

namespace stoker {
namespace {

config::Node keys(config::Node::Table table) {
  return {std::move(table), {"test.toml", 1}};
}
config::Node text(const char* value) { return {std::string(value), {"test.toml", 1}}; }

std::shared_ptr<Model> make(const char* name, int64_t classes,
                            config::Node::Table table = {}) {
  return make_model({name, classes, 3, keys(std::move(table))});
}

TEST(Models, HaveThePublishedNumbersOfParameters) {
  // torchvision's documentation; He et al. and common CIFAR counts.
  EXPECT_EQ(count_parameters(*make("resnet18", 1000)), 11689512);
  EXPECT_EQ(count_parameters(*make("resnet34", 1000)), 21797672);
  EXPECT_EQ(count_parameters(*make("resnet50", 1000)), 25557032);
  EXPECT_EQ(count_parameters(*make("resnet18", 10, {{"stem", text("cifar")}})), 11173962);
  EXPECT_EQ(count_parameters(*make("resnet20", 10)), 269722);
  EXPECT_EQ(count_parameters(*make("resnet56", 10)), 853018);
  EXPECT_EQ(count_parameters(*make("resnet56", 10, {{"shortcut", text("B")}})), 855770);
}

TEST(Models, CarryTorchvisionsNames) {
  std::set<std::string> names;
  for (const auto& [name, tensor] : named_tensors(*make("resnet18", 1000)))
    names.insert(name);
  for (const char* name : {"conv1.weight", "bn1.running_mean", "bn1.num_batches_tracked",
                           "layer1.0.conv1.weight", "layer2.0.downsample.0.weight",
                           "layer2.0.downsample.1.running_var", "layer4.1.bn2.bias",
                           "fc.weight", "fc.bias"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
  EXPECT_EQ(names.size(), 122U);  // len(torchvision.models.resnet18().state_dict())
}

TEST(Models, SuggestTheNearestNameAndRefuseUnknownKeys) {
  try {
    make("resnet81", 10);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    EXPECT_NE(std::string(error.what()).find("did you mean 'resnet18'"),
              std::string::npos);
  }
  EXPECT_THROW(make("resnet18", 10, {{"stm", text("cifar")}}), Error);
  EXPECT_THROW(make("resnet18", 10, {{"stem", text("cifra")}}), Error);
}

// Every registered model: one forward and backward in both memory layouts gives finite
// gradients for each trainable parameter.
TEST(EveryModel, TrainsAStep) {
  for (const std::string& name : list_models()) {
    torch::manual_seed(1);
    const auto model = make(name.c_str(), 10);
    model->train();
    const auto input = torch::randn({4, 3, 64, 64});
    if (model->num_initial_samples() > 0) model->initialise(input);
    const auto logits =
        model->forward(input.contiguous(torch::MemoryFormat::ChannelsLast));
    ASSERT_EQ(logits.sizes(), (std::vector<int64_t>{4, 10})) << name;
    torch::nn::functional::cross_entropy(logits, torch::tensor({0, 1, 2, 3})).backward();
    for (const auto& item : model->named_parameters()) {
      if (!item.value().requires_grad()) continue;
      ASSERT_TRUE(item.value().grad().defined()) << name << " " << item.key();
      ASSERT_TRUE(item.value().grad().isfinite().all().item<bool>())
          << name << " " << item.key();
    }
  }
}

TEST(EveryModel, TakesOneChannelWhenAsked) {
  for (const std::string& name : list_models()) {
    const auto model = make_model({name, 7, 1, keys({})});
    model->eval();
    EXPECT_EQ(model->forward(torch::zeros({2, 1, 32, 32})).size(1), 7) << name;
  }
}

TEST(FastNet, WhitensItsFirstLayer) {
  torch::manual_seed(2);
  const auto model = make("fast_net", 10);
  // Correlated "images": smoothed noise.
  const auto images = torch::avg_pool2d(torch::randn({200, 3, 34, 34}), 3, 1);
  model->initialise(images);
  const auto weight = model->named_parameters()["whiten.weight"];
  const auto response = torch::conv2d(images, weight).narrow(1, 0, 12);
  const auto flat = response.transpose(0, 1).flatten(1);
  const auto covariance = flat.mm(flat.t()) / static_cast<double>(flat.size(1));
  // Unit variance up to the epsilon of 5e-4 in the smallest directions, no correlation.
  const auto off_diagonal = covariance - torch::diag(covariance.diagonal());
  EXPECT_LT(off_diagonal.abs().max().item<double>(), 0.05);
  EXPECT_NEAR(covariance.diagonal().max().item<double>(), 1.0, 0.05);
  EXPECT_FALSE(weight.requires_grad());
}

}  // namespace
}  // namespace stoker
