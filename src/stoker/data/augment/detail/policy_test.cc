#include "stoker/data/augment/detail/policy.h"

#include <gtest/gtest.h>

#include <array>

namespace stoker::data::detail {
namespace {

constexpr Size kImage{61, 97};

TEST(Policy, DrawsEachStepEquallyOften) {
  constexpr uint64_t kDraws = 28000;
  std::array<int, kNumRandomSteps> counts{};
  for (uint64_t i = 0; i < kDraws; ++i) {
    KeyedRandom random(1, 0, i, 3);
    ++counts.at(static_cast<size_t>(draw_step(random)));
  }
  for (const int count : counts) {
    EXPECT_NEAR(count, kDraws / kNumRandomSteps, 216);  // Five standard deviations.
  }
}

TEST(Policy, DrawsEitherSignWhereThereAreTwo) {
  int negative = 0;
  for (uint64_t i = 0; i < 10000; ++i) {
    KeyedRandom random(1, 0, i, 3);
    negative += draw_sign(PolicyStep::kRotate, 9, random) < 0 ? 1 : 0;
    EXPECT_EQ(draw_sign(PolicyStep::kSolarize, 0.5, random), 0.5);
    EXPECT_EQ(draw_sign(PolicyStep::kPosterize, 4, random), 4);
  }
  EXPECT_NEAR(negative, 5000, 250);
}

TEST(Policy, SpreadsMagnitudesOverTheBins) {
  // RandAugment's usual 9 of 30: 30 * 9 / 30 degrees, 0.3 * 9 / 30, 8 - round(9 / 7.5).
  EXPECT_FLOAT_EQ(static_cast<float>(magnitude_of(PolicyStep::kRotate, kAutoAugmentSpace,
                                                  9, 31, kImage)),
                  9);
  EXPECT_FLOAT_EQ(static_cast<float>(magnitude_of(PolicyStep::kShearX, kAutoAugmentSpace,
                                                  9, 31, kImage)),
                  0.09F);
  EXPECT_EQ(magnitude_of(PolicyStep::kPosterize, kAutoAugmentSpace, 9, 31, kImage), 7);
  EXPECT_EQ(magnitude_of(PolicyStep::kSolarize, kAutoAugmentSpace, 0, 31, kImage), 1);
  EXPECT_EQ(magnitude_of(PolicyStep::kSolarize, kAutoAugmentSpace, 30, 31, kImage), 0);
  // Shares of the image's own sides, or pixels.
  EXPECT_NEAR(magnitude_of(PolicyStep::kTranslateX, kAutoAugmentSpace, 9, 10, kImage),
              97 * 150.0 / 331, 1e-4);
  EXPECT_NEAR(magnitude_of(PolicyStep::kTranslateY, kAutoAugmentSpace, 9, 10, kImage),
              61 * 150.0 / 331, 1e-4);
  EXPECT_EQ(magnitude_of(PolicyStep::kTranslateY, kWideSpace, 30, 31, kImage), 32);
}

TEST(Policy, NamesThreeSetsOfRules) {
  for (const char* name : {"imagenet", "cifar10", "svhn"})
    EXPECT_EQ(auto_augment_rules(name).size(), 25U);
  EXPECT_TRUE(auto_augment_rules("mnist").empty());
}

}  // namespace
}  // namespace stoker::data::detail
