#include "stoker/optim/schedule/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stoker/base/error.h"

namespace stoker {
namespace {

config::ScheduleConfig schedule(const char* name, const char* unit) {
  config::ScheduleConfig config;
  config.name = name;
  config.unit = unit;
  return config;
}

TEST(Schedule, WarmsUpLinearlyThenFollowsTheCosineByEpoch) {
  auto config = schedule("cosine", "epoch");
  config.warmup.epochs = 5;
  const TrainingLength length{7, 15};
  // By hand: (e + 1) / 5, then (1 + cos(pi k / 10)) / 2.
  const double expected[] = {0.2,    0.4,    0.6, 0.8,    1.0,    1.0,    0.9755, 0.9045,
                             0.7939, 0.6545, 0.5, 0.3455, 0.2061, 0.0955, 0.0245};
  for (int64_t epoch = 0; epoch < 15; ++epoch) {
    for (int64_t step : {epoch * 7, epoch * 7 + 6}) {
      EXPECT_NEAR(learning_rate(config, 1.0, step, length), expected[epoch], 5e-5)
          << epoch;
    }
  }
}

TEST(Schedule, NeverJumpsAtTheJointAndNeverPassesTheRate) {
  for (const char* unit : {"step", "epoch"}) {
    auto config = schedule("cosine", unit);
    config.warmup.epochs = 5;
    config.warmup.from = 0.01;
    const TrainingLength length{20, 100};
    double before = learning_rate(config, 0.1, 0, length);
    EXPECT_DOUBLE_EQ(before, 0.01);
    const double largest_move = std::string(unit) == "step" ? 0.09 / 100 : 0.09 / 5;
    for (int64_t step = 1; step < length.total_steps(); ++step) {
      const double now = learning_rate(config, 0.1, step, length);
      EXPECT_LE(now, 0.1);
      EXPECT_LE(std::abs(now - before), largest_move + 1e-12) << unit << step;
      before = now;
    }
  }
}

TEST(Schedule, ReachesTheRateAtTheEndOfTheWarmUp) {
  auto config = schedule("constant", "step");
  config.warmup.steps = 4;
  const TrainingLength length{10, 1};
  const double expected[] = {0.025, 0.05, 0.075, 0.1, 0.1, 0.1};
  for (int64_t step = 0; step < 6; ++step) {
    EXPECT_DOUBLE_EQ(learning_rate(config, 0.1, step, length), expected[step]);
  }
}

TEST(Schedule, FallsLinearlyOverTheUpdates) {
  auto config = schedule("linear", "step");
  const TrainingLength length{100, 100};
  EXPECT_DOUBLE_EQ(learning_rate(config, 1.0, 2500, length), 0.75);
  EXPECT_GT(learning_rate(config, 1.0, 9999, length), 0.0);
  EXPECT_DOUBLE_EQ(learning_rate(config, 1.0, 10000, length), 0.0);
}

TEST(Schedule, DropsAtStepsAndMilestones) {
  auto steps = schedule("step", "epoch");
  steps.step_epochs = 30;
  auto milestones = schedule("multi_step", "epoch");
  milestones.milestones = {50, 75};
  const TrainingLength length{2, 100};
  const auto at = [&](const config::ScheduleConfig& config, int64_t epoch) {
    return learning_rate(config, 0.1, epoch * 2, length);
  };
  EXPECT_DOUBLE_EQ(at(steps, 29), 0.1);
  EXPECT_NEAR(at(steps, 30), 0.01, 1e-15);
  EXPECT_NEAR(at(steps, 60), 0.001, 1e-15);
  EXPECT_DOUBLE_EQ(at(milestones, 49), 0.1);
  EXPECT_NEAR(at(milestones, 50), 0.01, 1e-15);
  EXPECT_NEAR(at(milestones, 75), 0.001, 1e-15);
}

TEST(Schedule, RefusesUnknownNamesAndTooLongWarmUps) {
  const TrainingLength length{10, 2};
  try {
    check_schedule(schedule("cosin", "step"), length);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    EXPECT_NE(std::string(error.what()).find("did you mean 'cosine'"), std::string::npos);
  }
  auto config = schedule("cosine", "step");
  config.warmup.epochs = 3;
  EXPECT_THROW(check_schedule(config, length), Error);
}

}  // namespace
}  // namespace stoker
