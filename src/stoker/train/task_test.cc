#include "stoker/train/task.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

namespace stoker {
namespace {

/// Logits are the pixel in the upper left corner and zero.
class CornerModel : public Model {
 public:
  torch::Tensor forward(const torch::Tensor& input) override {
    const auto corner = input.select(3, 0).select(2, 0).select(1, 0);
    return torch::stack({corner, torch::zeros_like(corner)}, 1);
  }
};

/// 1 2 3 / 4 5 6 / 7 8 9.
torch::Tensor nine() { return torch::arange(1, 10, torch::kFloat32).view({1, 1, 3, 3}); }

double loss_of(const EvaluationViews& views, bool training, double smoothing = 0) {
  CornerModel model;
  model.train(training);
  const ImageClassification task(smoothing, views);
  return task.run(model, nine(), torch::zeros({1}, torch::kInt64))
      .loss_sum.item<double>();
}

double cross_entropy_of_logit(double logit) { return std::log(1 + std::exp(-logit)); }

TEST(ImageClassification, TakesTheMeanOfTheViews) {
  EXPECT_NEAR(loss_of({false, 0}, false), cross_entropy_of_logit(1), 1e-6);
  EXPECT_NEAR(loss_of({true, 0}, false), cross_entropy_of_logit((1 + 3) / 2.0), 1e-6);
  // Reflected by one pixel the corners are 5 and, two pixels on, 5 again: 1 / 2 + (5 + 5)
  // / 4.
  EXPECT_NEAR(loss_of({false, 1}, false), cross_entropy_of_logit(3), 1e-6);
}

TEST(ImageClassification, LooksOnceAndSmoothsOnlyInTraining) {
  EXPECT_NEAR(loss_of({true, 1}, true), cross_entropy_of_logit(1), 1e-6);
  // Smoothing 0.1 over two classes: 0.95 and 0.05.
  const double smoothed =
      0.95 * cross_entropy_of_logit(1) + 0.05 * cross_entropy_of_logit(-1);
  EXPECT_NEAR(loss_of({}, true, 0.1), smoothed, 1e-6);
  EXPECT_NEAR(loss_of({}, false, 0.1), cross_entropy_of_logit(1), 1e-6);
}

TEST(ImageClassification, GivesThePublishedValuesOfLabelSmoothing) {
  // Seven classes, smoothing 0.1, class 0: by hand, for logits 0 and for 2, 0, 0, 0, 0,
  // 0, 0.
  class Fixed : public Model {
   public:
    torch::Tensor forward(const torch::Tensor& input) override {
      return input.flatten(1);
    }
  } model;
  model.train();
  const ImageClassification task(0.1, {});
  auto logits = torch::zeros({1, 7, 1, 1});
  const auto label = torch::zeros({1}, torch::kInt64);
  EXPECT_NEAR(task.run(model, logits, label).loss_sum.item<double>(), 1.94591015, 1e-6);
  logits[0][0] = 2;
  EXPECT_NEAR(task.run(model, logits, label).loss_sum.item<double>(), 0.76586624, 1e-6);
}

}  // namespace
}  // namespace stoker
