// Small cases with values by hand: cross entropy, batch norm, the formula of the weights.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "formula_weights.h"
#include "golden.h"
#include "stoker/train/task.h"

namespace stoker::parity {
namespace {

/// A model whose logits are its input.
class Identity : public Model {
 public:
  torch::Tensor forward(const torch::Tensor& input) override { return input; }
};

TaskOutput cross_entropy(const torch::Tensor& logits, const torch::Tensor& labels,
                         double smoothing, bool training) {
  Identity model;
  model.train(training);
  return ImageClassification(smoothing, {}).run(model, logits, labels);
}

TEST(CrossEntropy, SmoothsToTargetsThatSumToOne) {
  // 7 classes, smoothing 0.1: targets 0.91428571 and 6 x 0.01428571.
  const auto even = torch::zeros({1, 7});
  const auto sure = torch::tensor({{2.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F}});
  const auto label = torch::tensor({int64_t{0}});
  EXPECT_NEAR(cross_entropy(even, label, 0.1, true).loss_sum.item<double>(), 1.94591015,
              1e-6);
  EXPECT_NEAR(cross_entropy(sure, label, 0.1, true).loss_sum.item<double>(), 0.76586624,
              1e-6);
  // log(e^2 + 6) - 2: no smoothing in evaluation.
  EXPECT_NEAR(cross_entropy(sure, label, 0.1, false).loss_sum.item<double>(),
              std::log(std::exp(2.0) + 6) - 2, 1e-6);
}

TEST(CrossEntropy, SumsOverSamplesAndCountsTheRightOnes) {
  const auto logits = torch::tensor({{1.0F, 3.0F}, {1.0F, 0.0F}, {0.0F, 5.0F}});
  const auto output =
      cross_entropy(logits, torch::tensor({int64_t{1}, int64_t{1}, int64_t{0}}), 0, true);
  EXPECT_EQ(output.correct.item<int64_t>(), 1);
  const double by_hand =
      std::log1p(std::exp(-2.0)) + std::log1p(std::exp(1.0)) + std::log1p(std::exp(5.0));
  EXPECT_NEAR(output.loss_sum.item<double>(), by_hand, 1e-5);
}

TEST(BatchNorm, KeepsTheUnbiasedVarianceAndUsesTheBiasedOne) {
  torch::nn::BatchNorm2d norm(1);
  norm->train();
  const auto out = norm(torch::tensor({2.0F, 4.0F}).view({2, 1, 1, 1})).flatten();
  // (2 - 3) / sqrt(1 + 1e-5); 0.9 * 0 + 0.1 * 3; 0.9 * 1 + 0.1 * 2.
  EXPECT_NEAR(out[0].item<double>(), -0.999995, 1e-6);
  EXPECT_NEAR(out[1].item<double>(), 0.999995, 1e-6);
  EXPECT_NEAR(norm->running_mean.item<double>(), 0.3, 1e-7);
  EXPECT_NEAR(norm->running_var.item<double>(), 1.1, 1e-6);
}

TEST(FormulaWeights, AreThoseOfThePythonScript) {
  // crc32("123456789"), the check value of the CRC catalogue.
  EXPECT_EQ(crc32("123456789", 9), 0xCBF43926U);
  const auto expected = golden_json("formula.json");
  NamedTensors tensors;
  for (const auto& [name, entry] : expected.items()) {
    tensors.emplace_back(name, torch::ones(entry["shape"].get<std::vector<int64_t>>()));
  }
  fill_by_formula(tensors);
  for (const auto& [name, tensor] : tensors) {
    const auto values = expected[name]["values"].get<std::vector<double>>();
    const auto flat = tensor.flatten();
    for (size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(flat[static_cast<int64_t>(i)].item<float>(),
                static_cast<float>(values[i]))
          << name;
    }
  }
}

}  // namespace
}  // namespace stoker::parity
