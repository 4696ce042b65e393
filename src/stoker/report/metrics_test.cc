#include "stoker/report/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "stoker/base/error.h"
#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/report/detail/lines.h"
#include "stoker/report/testing.h"

namespace stoker {
namespace {
namespace fs = std::filesystem;
using Json = nlohmann::json;
using ::stoker::testing::MadeUpRun;

class MetricsTest : public ::testing::Test {
 protected:
  MetricsTest()
      : folder_(fs::path(::testing::TempDir()) / cat("stoker_metrics_test", ::getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  Events events() const {
    Events events;
    events.add(std::make_shared<MetricsWriter>(folder_));
    return events;
  }
  std::vector<Json> lines() const {
    std::vector<Json> out;
    for (const std::string& line : split(read_file(folder_ / "metrics.jsonl"), '\n')) {
      if (!line.empty()) out.push_back(Json::parse(line));
    }
    return out;
  }
  std::vector<Json> lines_without_times() const {
    std::vector<Json> out = lines();
    for (Json& line : out) {
      for (const char* name :
           {"utc", "time", "wall_seconds", "samples_per_second", "busy"}) {
        line.erase(name);
      }
    }
    return out;
  }
  fs::path folder_;
};

TEST_F(MetricsTest, HasALineForEveryEventWithItsValues) {
  const Events told = events();
  MadeUpRun run(told, folder_);
  run.run(0, MadeUpRun::kSteps);
  run.finish(true, MadeUpRun::kSteps);
  std::map<std::string, int> kinds;
  for (const Json& line : lines()) ++kinds[line["kind"]];
  const std::map<std::string, int> expected = {
      {"start", 1},      {"step", 600}, {"warning", 1}, {"evaluation", 5},
      {"checkpoint", 5}, {"epoch", 5},  {"finish", 1}};
  EXPECT_EQ(kinds, expected);

  const Json step = lines()[100];  // The start, 100 steps and a warning come before it.
  EXPECT_EQ(step["kind"], "step");
  EXPECT_EQ(step["step"], 99);
  EXPECT_DOUBLE_EQ(step["loss"], 2 / 1.99);
  EXPECT_DOUBLE_EQ(step["time"]["backward"], 0.017);
}

TEST_F(MetricsTest, WhatIsNotFiniteIsNullAndNamed) {
  const Events told = events();
  MadeUpRun run(told, folder_);
  run.start(0);
  run.step(7);
  run.epoch(1);
  const Json step = lines()[1];
  EXPECT_TRUE(step["loss"].is_null());
  EXPECT_EQ(step["nan"], Json({"loss"}));
  EXPECT_FALSE(lines()[3].contains("nan"));

  EvaluationDone evaluation;
  evaluation.loss = std::numeric_limits<double>::infinity();
  EpochDone epoch;
  epoch.evaluation = evaluation;
  const Json json = Json::parse(detail::to_json({epoch, 1, ""}));
  EXPECT_TRUE(json["evaluation"]["loss"].is_null());
  EXPECT_EQ(json["nan"], Json({"evaluation.loss"}));
}

TEST_F(MetricsTest, AResumedRunHasTheFileOfAnUninterruptedOne) {
  {
    const Events told = events();
    MadeUpRun run(told, folder_);
    run.run(0, MadeUpRun::kSteps);
    run.finish(true, MadeUpRun::kSteps);
  }
  const auto whole = lines_without_times();
  // From the checkpoint of the interruption, and from an older one.
  for (const int64_t first_step : {300, 240}) {
    {
      const Events told = events();
      MadeUpRun run(told, folder_);
      run.run(0, 300);
      told.tell(CheckpointSaved{"checkpoints/step-300", 300, 1, 0.1, false, true});
      run.finish(false, 300);
    }
    EXPECT_EQ(lines().back()["completed"], false);
    const Events told = events();
    MadeUpRun run(told, folder_);
    run.run(first_step, MadeUpRun::kSteps);
    run.finish(true, MadeUpRun::kSteps - first_step);
    const auto resumed = lines_without_times();
    ASSERT_EQ(resumed.size(), whole.size());
    for (size_t i = 0; i < whole.size(); ++i)
      EXPECT_EQ(resumed[i], whole[i]) << "line " << i;
  }
}

TEST_F(MetricsTest, ALineThatACrashCutOffIsDroppedOnResume) {
  {
    const Events told = events();
    MadeUpRun(told, folder_).run(0, 240);
  }
  const size_t complete = lines().size();
  std::ofstream(folder_ / "metrics.jsonl", std::ios::app)
      << R"({"kind":"step","step":24)";
  const Events told = events();
  MadeUpRun run(told, folder_);
  run.start(240);
  EXPECT_EQ(lines().size(), complete);
}

TEST_F(MetricsTest, EveryEventButAStepReachesTheFileAtOnce) {
  const Events told = events();
  MadeUpRun run(told, folder_);
  run.start(0);
  run.step(1);
  run.epoch(1);
  EXPECT_EQ(lines().back()["kind"], "epoch");
  EXPECT_EQ(lines().size(), 5U);
}

TEST_F(MetricsTest, TextThatIsNoUtf8StillGivesValidJson) {
  RunFinished end;
  end.bad_samples = {{"train/\xff.jpg", "a \"quoted\"\nreason"}};
  const Json json = Json::parse(detail::to_json({end, 1, ""}));
  EXPECT_EQ(json["bad_samples"][0]["name"], "train/\xef\xbf\xbd.jpg");
  EXPECT_EQ(json["bad_samples"][0]["reason"], "a \"quoted\"\nreason");
}

TEST_F(MetricsTest, AMissingFolderIsAnError) {
  MetricsWriter writer(folder_ / "none");
  EXPECT_THROW(writer.on(RunStarted{}), Error);
}

TEST(MetricsLine, ComesBackAsTheEventThatItWas) {
  EvaluationDone evaluation{3, 360, 1000, 710, 0.33, 0.71, 0.5, true};
  RunFinished end;
  end.completed = false;
  end.reason = "interrupted";
  end.time = {1, 2, 3, 4, 5, 6, 7, 8};
  end.best = evaluation;
  end.outputs = {{"report", "a/b"}, {"metrics", "c"}};
  const auto line =
      detail::from_json(detail::to_json({end, 360, "2026-01-31T12:00:00Z"}));
  ASSERT_TRUE(line);
  EXPECT_EQ(line->step, 360);
  EXPECT_EQ(line->time, "2026-01-31T12:00:00Z");
  const auto& back = std::get<RunFinished>(line->event);
  EXPECT_EQ(back.step, 360);
  EXPECT_EQ(back.reason, "interrupted");
  EXPECT_DOUBLE_EQ(back.time.checkpoint, 7);
  EXPECT_FALSE(back.last);
  EXPECT_EQ(back.best->correct, 710);
  EXPECT_EQ(back.outputs, end.outputs);
  EXPECT_FALSE(detail::from_json("{\"kind\":\"step\"}")) << "no step";
  EXPECT_FALSE(detail::from_json("{\"kind\":\"step\",\"step\":\"x\"}"));
  EXPECT_FALSE(detail::from_json("[1]"));
}

}  // namespace
}  // namespace stoker
