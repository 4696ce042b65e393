#include "stoker/train/plan.h"

#include <gtest/gtest.h>

#include "stoker/base/error.h"

namespace stoker {
namespace {

config::Recipe sample_recipe(const std::vector<std::string>& overrides) {
  return config::parse_recipe(R"(
[data]
train = "examples/data/cifar10/train"
val = "examples/data/cifar10/test"
augment = [ { normalize = "cifar10" } ]
[model]
name = "resnet20"
[train]
threads = 1
)",
                              std::string(STOKER_SOURCE_DIR) + "/recipe.toml", overrides);
}

TEST(FitMicroBatch, SplitsIntoTheFewestEqualParts) {
  EXPECT_EQ(fit_micro_batch(256, 256), 256);
  EXPECT_EQ(fit_micro_batch(256, 1000), 256);
  EXPECT_EQ(fit_micro_batch(256, 255), 128);
  EXPECT_EQ(fit_micro_batch(100, 33), 25);
  EXPECT_EQ(fit_micro_batch(7, 3), 3);
  EXPECT_EQ(fit_micro_batch(7, 1), 1);
}

TEST(Plan, PrintsTheBatchEquation) {
  const Plan plan =
      make_plan(sample_recipe({"train.batch=250", "train.micro_batch=100"}), {});
  EXPECT_EQ(
      plan.batch_equation,
      "250 = micro-batch 100 x accumulation 3 x ranks 1, the last micro-batch has 50");
  EXPECT_EQ(plan.length.steps_per_epoch, 8);
  EXPECT_EQ(plan.classes, 10);
}

TEST(Plan, TakesTheImageSizeFromTheDataWhereTheRecipeFixesNone) {
  const Plan plan = make_plan(sample_recipe({}), {});
  EXPECT_EQ(plan.train.program->height(), 32);
  EXPECT_EQ(plan.train.program->width(), 32);
}

TEST(Plan, LimitsTheBatchByTheDataAndSaysSo) {
  const Plan plan = make_plan(sample_recipe({"train.batch=5000"}), {});
  EXPECT_EQ(plan.recipe.train.batch, 2000);
  EXPECT_NE(plan.notes.front().find("threads"), std::string::npos);
  bool said = false;
  for (const auto& note : plan.notes) {
    said = said || note.find("2000 instead of 5000") != std::string::npos;
  }
  EXPECT_TRUE(said);
}

TEST(Plan, RefusesFewerClassesThanTheDataHas) {
  EXPECT_THROW(make_plan(sample_recipe({"model.classes=9"}), {}), Error);
  EXPECT_EQ(make_plan(sample_recipe({"model.classes=12"}), {}).classes, 12);
}

// ResNet-20 keeps about 20 maps of 16 x 32 x 32 floats and their like for the backward
// pass.
TEST(StepMemory, GrowsWithTheModelsMaps) {
  const ModelSpec spec{"resnet20", 10, 3, config::Node(config::Node::Table{}, {})};
  const StepMemory memory = measure_step_memory(spec, 32, 32, true);
  const StepMemory larger = measure_step_memory(spec, 64, 64, true);
  EXPECT_GT(memory.bytes_per_sample, 16 * 32 * 32 * 4 * 14);
  EXPECT_NEAR(static_cast<double>(larger.bytes_per_sample) /
                  static_cast<double>(memory.bytes_per_sample),
              4, 0.5);
  EXPECT_GE(memory.fixed_bytes, 2 * 269722 * 4);
}

}  // namespace
}  // namespace stoker
