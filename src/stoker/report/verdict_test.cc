#include "stoker/report/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace stoker {
namespace {
using ::testing::HasSubstr;

/// Of a training whose wall time is that of its steps, evaluations and savings.
Verdict judge_wall(const TimeSplit& wall, const std::vector<double>& busy_by_window) {
  TimeSplit training = wall;
  training.evaluation = training.checkpoint = 0;
  return judge(training, wall, busy_by_window);
}

// data_wait, copy, forward, backward, optimizer, evaluation, checkpoint, other
TEST(Verdict, BusyBelowSeventyPercentWithWaitingForDataIsDataBound) {
  const Verdict verdict = judge_wall({50, 5, 15, 25, 4, 0, 0, 1}, {});
  EXPECT_EQ(verdict.limit, Limit::kData);
  EXPECT_DOUBLE_EQ(verdict.busy, 0.49);
  EXPECT_EQ(verdict.largest_part, "waiting for data");
  EXPECT_DOUBLE_EQ(verdict.largest_share, 0.5);
  EXPECT_THAT(sentence(verdict), HasSubstr("Data-bound: the device was busy 49.0 %"));
  EXPECT_THAT(sentence(verdict), HasSubstr("waiting for data with 50.0 %"));
}

TEST(Verdict, BusyFromNinetyFivePercentOfTrainingIsComputeBound) {
  // 98 of 100 s of training are busy; the 10 s of evaluation are not training.
  const Verdict verdict = judge_wall({1, 2, 30, 60, 6, 10, 0, 1}, {});
  EXPECT_EQ(verdict.limit, Limit::kCompute);
  EXPECT_DOUBLE_EQ(verdict.busy, 0.98);
  EXPECT_EQ(verdict.largest_part, "backward");
  EXPECT_NEAR(verdict.largest_share, 60.0 / 110, 1e-12);
  EXPECT_EQ(verdict.largest_loss, "evaluation");
  EXPECT_THAT(sentence(verdict), HasSubstr("the data was not the limit"));
  EXPECT_THAT(sentence(verdict), HasSubstr("backward with 54.5 %"));
}

TEST(Verdict, LittleBusyForOtherReasonsThanDataIsHostBound) {
  const Verdict verdict = judge_wall({5, 0, 20, 30, 5, 0, 0, 40}, {});
  EXPECT_EQ(verdict.limit, Limit::kHost);
  EXPECT_THAT(sentence(verdict), HasSubstr("not for data"));
}

TEST(Verdict, EvaluationAndSavingAreNamedWhenTheyCostMoreThanWaiting) {
  EXPECT_EQ(judge_wall({1, 0, 20, 40, 4, 34, 0, 1}, {}).limit, Limit::kEvaluation);
  EXPECT_EQ(judge_wall({1, 0, 25, 50, 5, 3, 15, 1}, {}).limit, Limit::kCheckpoint);
  EXPECT_EQ(judge_wall({40, 0, 10, 15, 4, 30, 0, 1}, {}).limit, Limit::kData);
}

TEST(Verdict, BetweenTheLimitsNamesTheLargestPartAndTheLargestLoss) {
  const Verdict verdict = judge_wall({8, 2, 30, 45, 5, 0, 0, 10}, {});
  EXPECT_EQ(verdict.limit, Limit::kBalanced);
  EXPECT_THAT(sentence(verdict), HasSubstr("busy 82.0 %"));
  EXPECT_THAT(sentence(verdict), HasSubstr("largest loss is other with 10.0 %"));
}

TEST(Verdict, SwingsOfTheDeviceAreDataBoundAlthoughItIsBusyOnTheMean) {
  const TimeSplit time{20, 0, 30, 45, 4, 0, 0, 1};                        // busy 79 %
  const std::vector<double> swinging = {1, 0.4, 1, 0.4, 1, 0.4, 1, 0.4};  // deviation 0.3
  const std::vector<double> steady = {0.8, 0.78, 0.8, 0.78, 0.8, 0.78, 0.8, 0.78};
  EXPECT_EQ(judge_wall(time, swinging).limit, Limit::kData);
  EXPECT_THAT(sentence(judge_wall(time, swinging)), HasSubstr("with large swings"));
  EXPECT_EQ(judge_wall(time, steady).limit, Limit::kBalanced);
  EXPECT_EQ(judge_wall(time, {1, 0.4, 1, 0.4}).limit, Limit::kBalanced)
      << "too few to tell";
}

TEST(Verdict, WithoutTrainingThereIsNone) {
  EXPECT_EQ(judge_wall({}, {}).limit, Limit::kNothingMeasured);
  EXPECT_EQ(sentence(judge_wall({}, {})), "No training step was measured yet.");
}

TEST(Verdict, WhatComesBeforeTheFirstStepIsNoFaultOfTheHost) {
  // 10 s of steps, busy 9.6; 30 s to start up.
  const Verdict verdict =
      judge({0.2, 0, 3, 6, 0.6, 0, 0, 0.2}, {0.2, 0, 3, 6, 0.6, 0, 0, 30.2}, {});
  EXPECT_EQ(verdict.limit, Limit::kCompute);
  EXPECT_DOUBLE_EQ(verdict.busy, 0.96);
  EXPECT_EQ(verdict.largest_part, "other");
}

TEST(Verdict, PartsSumToTheWholeTime) {
  const TimeSplit time{1, 2, 4, 8, 16, 32, 64, 128};
  double sum = 0;
  for (const auto& [name, seconds] : parts(time)) sum += seconds;
  EXPECT_DOUBLE_EQ(sum, 255);
}

}  // namespace
}  // namespace stoker
