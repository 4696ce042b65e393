#include "stoker/report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/report/detail/history.h"
#include "stoker/report/detail/markup.h"
#include "stoker/report/detail/plot_data.h"
#include "stoker/report/metrics.h"
#include "stoker/report/testing.h"

namespace stoker {
namespace {
namespace fs = std::filesystem;
using ::stoker::testing::MadeUpRun;
using ::testing::HasSubstr;
using ::testing::Not;

class HtmlTest : public ::testing::Test {
 protected:
  HtmlTest()
      : folder_(fs::path(::testing::TempDir()) / cat("stoker_html_test", ::getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  Events events() const {
    Events events;
    events.add(std::make_shared<MetricsWriter>(folder_));
    events.add(std::make_shared<HtmlReport>(folder_));
    return events;
  }
  std::string page() const { return read_file(folder_ / "report.html"); }
  nlohmann::json plots() const {
    const std::string html = page();
    const std::string open = "id=\"data\">";
    const size_t start = html.find(open) + open.size();
    return nlohmann::json::parse(
        html.substr(start, html.find("</script>", start) - start));
  }
  fs::path folder_;
};

TEST_F(HtmlTest, HasAllPartsWithTheFiguresOfTheRun) {
  const Events told = events();
  MadeUpRun run(told, folder_);
  run.run(0, MadeUpRun::kSteps);
  run.finish(true, MadeUpRun::kSteps);
  const std::string html = page();
  // 600 steps of 32 ms, 5 evaluations of 0.5 s, 5 savings of 0.25 s, 0.2 s besides: 23.15
  // s.
  for (const char* part :
       {"Trained to 85.0 % test accuracy, 5 epochs in 23.1 s; the target of 80.0 % is "
        "reached.",
        "No single limit: the device was busy 93.",                   // 30 / 32
        "the largest part of the wall time is backward with 44.1 %",  // 10.2 / 23.15
        "the largest loss is evaluation with 10.8 %",                 // 2.5 / 23.15
        "<td class=\"n\">10.20</td><td class=\"n\">44.1 %</td>",
        "<td>wall time</td><td class=\"n\">23.15</td><td class=\"n\">100.0 %</td>",
        "<td>activations and scratch</td><td class=\"n\">310.0 MiB</td>",
        "<td>best</td><td class=\"n\">85.0 % (epoch 5)</td>",
        "Samples left out: 1",
        "cut off after 512 bytes",
        "64 = micro-batch 64 x accumulation 1 x ranks 1",
        "precision: float32",
        "<td>LibTorch</td><td>2.9.0</td>",
        "seed = 1",
        "Chart.js v3.9.1",
        "<canvas id=\"loss\"",
        "<canvas id=\"accuracy\"",
        "<canvas id=\"rate\"",
        "<canvas id=\"speed\"",
        "<canvas id=\"parts\""}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
}

TEST_F(HtmlTest, TextOfPeopleIsNeverMarkupAndNothingComesFromTheNetwork) {
  const Events told = events();
  MadeUpRun run(told, folder_);
  run.run(0, 120);
  run.finish(false, 120);
  const std::string html = page();
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr("<b>1</b>.jpg")));
  EXPECT_THAT(html, HasSubstr("made &lt;script&gt;alert(1)&lt;/script&gt; &amp; up"));
  EXPECT_THAT(html, HasSubstr("train/dog/&lt;b&gt;1&lt;/b&gt;.jpg"));
  EXPECT_THAT(html, HasSubstr("stoker train made_up.toml --resume runs/made_up"));
  for (const char* loads : {"src=\"", "href=\"http", "url(", "@import"}) {
    EXPECT_THAT(html.substr(0, html.find("<script>\n")), Not(HasSubstr(loads)));
  }
}

TEST_F(HtmlTest, IsThereWhileTheTrainingRuns) {
  const Events told = events();
  MadeUpRun run(told, folder_);
  run.start(0);
  EXPECT_THAT(page(), HasSubstr("No training step was measured yet."));
  for (int64_t s = 1; s <= 120; ++s) run.step(s);
  run.epoch(1);
  EXPECT_THAT(page(), HasSubstr("state running"));
  EXPECT_THAT(page(), HasSubstr("Reached 57.0 % test accuracy so far, 1 epoch in"));
  EXPECT_THAT(page(), HasSubstr("900.0 MiB"));
  EXPECT_EQ(plots()["epochs"]["x"].size(), 1U);
}

TEST_F(HtmlTest, AResumedRunKeepsTheEarlierCurvesAndTimes) {
  {
    const Events told = events();
    MadeUpRun(told, folder_).run(0, 300);
  }
  const Events told = events();
  MadeUpRun run(told, folder_);
  run.run(240, MadeUpRun::kSteps);
  run.finish(true, MadeUpRun::kSteps - 240);
  const auto data = plots();
  EXPECT_EQ(data["steps"]["x"].size(), 600U);
  EXPECT_EQ(data["epochs"]["x"], nlohmann::json({1, 2, 3, 4, 5}));
  EXPECT_EQ(data["evaluations"]["loss"].size(), 5U);
  // 600 steps and 5 epochs in all, 0.2 s besides in the second start.
  EXPECT_THAT(page(), HasSubstr("<td>wall time</td><td class=\"n\">23.15</td>"));
}

TEST_F(HtmlTest, CurvesHaveTheValuesThatWereTold) {
  const Events told = events();
  MadeUpRun(told, folder_).run(0, 240);
  const auto data = plots();
  EXPECT_TRUE(data["steps"]["loss"][6].is_null());
  EXPECT_DOUBLE_EQ(data["steps"]["loss"][99], 1.0);
  EXPECT_DOUBLE_EQ(data["steps"]["x"][59], 0.5);
  EXPECT_DOUBLE_EQ(data["steps"]["speed"][0], 2000);
  EXPECT_DOUBLE_EQ(data["target"], 0.8);
  EXPECT_DOUBLE_EQ(data["parts"]["bars"][3][1], 2.04);  // backward in epoch 2
  EXPECT_DOUBLE_EQ(data["parts"]["bars"][5][1], 0.5);   // evaluation
  EXPECT_DOUBLE_EQ(data["parts"]["bars"][6][1], 0.25);  // checkpoints
}

TEST(StepSeries, KeepsAtMostTwoThousandPointsWithTheMeansOfAllSteps) {
  detail::StepSeries series(2000);
  for (int64_t s = 1; s <= 9000; ++s) {
    StepDone step;
    step.step = s;
    step.samples = s <= 8 ? 1 : 3;
    step.loss = static_cast<double>(s);
    step.time.forward = 0.5;
    series.add(step);
  }
  const auto& points = series.points();
  ASSERT_EQ(points.size(), 1125U);  // 8 steps each: 2,000 points of 4 hold 8,000 only.
  EXPECT_EQ(points[0].step, 8);
  EXPECT_DOUBLE_EQ(points[0].loss(), 4.5);
  EXPECT_DOUBLE_EQ(points[1].loss(), 12.5);
  EXPECT_DOUBLE_EQ(points[1].samples_per_second(), 6);
  EXPECT_EQ(points.back().step, 9000);
}

TEST(StepSeries, AStepWithoutAFiniteLossDoesNotSpoilItsNeighbours) {
  detail::StepSeries series(1);
  for (const double loss : {1.0, std::nan(""), 3.0}) {
    StepDone step;
    step.samples = 10;
    step.loss = loss;
    series.add(step);
  }
  EXPECT_DOUBLE_EQ(series.points()[0].loss(), 2.0);
}

TEST(BusyWindows, AWindowClosesAfterASecond) {
  detail::BusyWindows windows;
  for (int i = 0; i < 4; ++i) {
    windows.add({i < 2 ? 0.5 : 0.0, 0, i < 2 ? 0.0 : 0.5, 0, 0, 0, 0, 0});
  }
  EXPECT_EQ(windows.shares(), (std::vector<double>{0, 1}));
}

TEST(PlotData, ManyEpochsGiveAtMostAHundredBarsThatHoldAllTheirTime) {
  detail::History history;
  for (int64_t i = 1; i <= 250; ++i) {
    EpochDone epoch;
    epoch.epoch = i;
    epoch.time.backward = 2;
    history.add(epoch);
  }
  const auto data = nlohmann::json::parse(detail::plot_data(history));
  EXPECT_EQ(data["parts"]["labels"].size(), 84U);  // Groups of 3.
  EXPECT_EQ(data["parts"]["labels"][0], "1\u20133");
  EXPECT_EQ(data["parts"]["labels"][83], "250");
  double seconds = 0;
  for (const double value : data["parts"]["bars"][3]) seconds += value;
  EXPECT_DOUBLE_EQ(seconds, 500);
}

TEST(Markup, JsonCannotEndTheElementThatHoldsIt) {
  EXPECT_EQ(detail::json_in_script("{\"a\":\"</script>\"}"),
            "{\"a\":\"\\u003c/script>\"}");
  EXPECT_EQ(detail::escape_html("<a href=\"x\">'&"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
}

}  // namespace
}  // namespace stoker
