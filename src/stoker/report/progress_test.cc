#include "stoker/report/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stoker/base/strings.h"
#include "stoker/report/detail/status_line.h"
#include "stoker/report/detail/time_left.h"
#include "stoker/report/testing.h"

namespace stoker {
namespace {
using ::stoker::testing::MadeUpRun;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// Hears the made-up run on a clock that stands until it is moved.
class ProgressTest : public ::testing::Test {
 protected:
  void use(const ProgressStyle& style) {
    events_.add(std::make_shared<ProgressPrinter>(
        [this](const std::string& text) { writes_.push_back(text); }, style,
        [this] { return now_; }));
  }
  /// A step takes 32 ms on the clock as well.
  void steps(int64_t first, int64_t last) {
    for (int64_t s = first; s <= last; ++s) {
      now_ += 0.032;
      run_.step(s);
    }
  }
  std::string all() const { return join(writes_, ""); }

  double now_ = 100;
  Events events_;
  MadeUpRun run_{events_, "runs/made_up"};
  std::vector<std::string> writes_;
};

detail::Status some_status() {
  detail::Status status;
  status.epoch = 3;
  status.epochs = 10;
  status.done = 0.62;
  status.samples_per_second = 1234;
  status.loss = 1.234;
  status.busy = 0.98;
  status.left_seconds = 45;
  return status;
}

TEST(StatusLine, ShowsAllWhereThereIsRoom) {
  EXPECT_EQ(
      detail::status_line(some_status(), 80),
      "epoch  3/10  [=======>    ]   62%  1,234 img/s  loss 1.234  busy 98%  left 0:45");
}

TEST(StatusLine, IsNeverWiderThanTheTerminal) {
  for (int columns = 1; columns < 200; ++columns) {
    EXPECT_LT(detail::status_line(some_status(), columns).size(),
              static_cast<size_t>(std::max(2, columns)))
        << columns;
  }
  EXPECT_EQ(detail::status_line(some_status(), 50),
            "epoch  3/10   62%  loss 1.234  left 0:45");
}

TEST(StatusLine, AFullBarHasNoTip) {
  detail::Status status = some_status();
  status.done = 1;
  status.evaluating = true;
  const std::string line = detail::status_line(status, 90);
  EXPECT_THAT(line, HasSubstr("=]  100%"));
  EXPECT_THAT(line, Not(HasSubstr(">")));
  EXPECT_THAT(line, HasSubstr("evaluating"));
}

TEST(StatusLine, AnEpochIsOneLine) {
  EpochDone epoch;
  epoch.epoch = 3;
  epoch.loss = 0.912;
  epoch.accuracy = 0.671;
  epoch.learning_rate = 0.05;
  epoch.samples_per_second = 1840;
  epoch.busy = 0.987;
  epoch.seconds = 12.3;
  EXPECT_EQ(
      detail::epoch_line(epoch, 10),
      "epoch  3/10  loss 0.912  train 67.1 %  lr 0.05  1,840 img/s  busy 98.7 %  12.3 s");
  EXPECT_EQ(detail::epoch_line(epoch, 10, 79),
            "epoch  3/10  loss 0.912  train 67.1 %  1,840 img/s  busy 98.7 %  12.3 s");
  EXPECT_EQ(detail::epoch_line(epoch, 10, 10),
            "epoch  3/10  loss 0.912  train 67.1 %  12.3 s");
  epoch.evaluation = EvaluationDone{};
  epoch.evaluation->accuracy = 0.712;
  epoch.evaluation->best = true;
  EXPECT_THAT(detail::epoch_line(epoch, 10),
              HasSubstr("train 67.1 %  test 71.2 % (best)  lr"));
}

TEST(StatusLine, TimeLeftReadsAsAClock) {
  EXPECT_EQ(detail::format_left(0.4), "0:00");
  EXPECT_EQ(detail::format_left(45), "0:45");
  EXPECT_EQ(detail::format_left(59.6), "1:00");
  EXPECT_EQ(detail::format_left(2 * 3600 + 3 * 60 + 4), "2:03:04");
}

TEST(TimeLeft, CountsStepsAndWhatComesBetweenEpochs) {
  detail::TimeLeft left;
  left.guess_evaluation(3);
  for (int i = 0; i < 100; ++i) left.add_step(0.5);
  EXPECT_NEAR(left.seconds(40, 2), 40 * 0.5 + 2 * 3, 1e-9) << "the guess until the first";
  left.add_evaluation(4);
  left.add_saving(1);
  left.end_epoch();
  EXPECT_NEAR(left.seconds(40, 2), 40 * 0.5 + 2 * 5, 1e-9);
}

TEST(TimeLeft, TheMeanOfStepsIsNotPulledToZeroAtItsStart) {
  detail::SmoothMean mean;
  mean.add(1);
  EXPECT_NEAR(mean.value(), 1, 1e-12);
  mean.add(3);
  // Weights 0.98 * 0.02 and 0.02 over their sum 0.0396.
  EXPECT_NEAR(mean.value(), (0.0196 * 1 + 0.02 * 3) / 0.0396, 1e-12);
}

TEST_F(ProgressTest, ATerminalIsDrawnAtMostTenTimesASecond) {
  use({.terminal = true, .columns = 100});
  run_.start(0);
  writes_.clear();
  steps(1, 119);  // 3.8 s: every fourth step is 0.128 s after the last drawing.
  EXPECT_EQ(writes_.size(), 119 / 4 + 1U);  // And the warning of step 7.
  int drawings = 0;
  for (const std::string& text : writes_) drawings += text.starts_with("\repoch 1/5  [");
  EXPECT_EQ(drawings, 119 / 4);
}

TEST_F(ProgressTest, TheLeftTimeHoldsStepsAndTheEvaluationsOfAllEpochs) {
  use({.terminal = true, .columns = 100});
  run_.start(0);
  steps(1, 8);
  // 592 steps of 32 ms; 5 evaluations of 1,000 samples at 10 ms forward for 64 samples.
  EXPECT_THAT(writes_.back(), HasSubstr("left 0:20"));  // 18.9 + 0.8
  steps(9, 120);
  run_.epoch(1);
  steps(121, 124);
  // 476 steps of 32 ms and 4 times 0.75 s.
  EXPECT_THAT(writes_.back(), HasSubstr("left 0:18"));
}

TEST_F(ProgressTest, AnEpochLineReplacesTheDrawing) {
  use({.terminal = true, .columns = 100});
  run_.start(0);
  steps(1, 120);
  const size_t drawn = writes_.back().size() - 1;
  EXPECT_THAT(writes_.back(), HasSubstr("evaluating"));
  run_.epoch(1);
  EXPECT_THAT(writes_.back(),
              StartsWith("\r" + std::string(drawn, ' ') + "\repoch 1/5  loss"));
  EXPECT_THAT(writes_.back(), HasSubstr("test 57.0 % (best)  lr 0.08"));
}

TEST_F(ProgressTest, ALogFileGetsALineAnEpochAndOneEveryTenSeconds) {
  use({});
  run_.start(0);
  EXPECT_THAT(all(), HasSubstr("training made <script>"));
  EXPECT_THAT(all(), HasSubstr("64 = micro-batch 64 x accumulation 1 x ranks 1"));
  EXPECT_THAT(all(), HasSubstr("precision: float32"));
  writes_.clear();
  for (int64_t s = 1; s <= 120; ++s) {
    now_ += 0.25;  // An epoch of 30 s.
    run_.step(s);
  }
  run_.epoch(1);
  EXPECT_THAT(writes_, Each(Not(HasSubstr("\r"))));
  ASSERT_EQ(writes_.size(), 4U)
      << all();  // The warning, after 10 s, after 20 s, the epoch.
  EXPECT_EQ(writes_[1],
            "epoch 1/5   33 %  loss 1.635  2,000 img/s  busy 94 %  left 0:19\n");
  EXPECT_THAT(writes_[3], StartsWith("epoch 1/5  loss 0.909  train 53.0 %  test 57.0 %"));
}

TEST_F(ProgressTest, TheEndSaysWhereTheTimeWent) {
  use({});
  run_.run(0, MadeUpRun::kSteps);
  writes_.clear();
  run_.finish(true, MadeUpRun::kSteps);
  for (const char* part :
       {"done in 23.1 s: 600 steps, 2,000 img/s, device busy 93.",
        "test accuracy 85.0 %, best 85.0 % after epoch 5, target 80.0 %: reached",
        "  backward                   10.20    44.1 %\n",
        "  wall time                  23.15   100.0 %\n", "whole process (peak RSS)",
        "samples left out: 1", "train/dog/<b>1</b>.jpg: cut off after 512 bytes",
        "runs/made_up/report.html"}) {
    EXPECT_THAT(all(), HasSubstr(part));
  }
  EXPECT_THAT(all(), Not(HasSubstr("\x1b")));
}

TEST_F(ProgressTest, AnInterruptedRunSaysHowToGoOn) {
  use({});
  run_.run(0, 120);
  run_.finish(false, 120);
  EXPECT_THAT(all(), HasSubstr("stopped before the end: interrupted"));
  EXPECT_THAT(writes_.back(),
              ::testing::EndsWith(
                  "go on with: stoker train made_up.toml --resume runs/made_up\n"));
}

TEST_F(ProgressTest, QuietSaysOnlyWarningsAndTheResultAndJsonNothing) {
  use({.quiet = true});
  run_.run(0, MadeUpRun::kSteps);
  ASSERT_EQ(writes_.size(), 1U);
  EXPECT_THAT(writes_[0], HasSubstr("warning: the gradient of 'fc.weight'"));
  run_.finish(true, MadeUpRun::kSteps);
  EXPECT_THAT(writes_.back(), StartsWith("done in"));

  events_ = {};
  writes_.clear();
  use({.json = true});
  run_.run(0, MadeUpRun::kSteps);
  run_.finish(true, MadeUpRun::kSteps);
  EXPECT_THAT(writes_, IsEmpty());
}

TEST_F(ProgressTest, ColoursNeedATerminal) {
  use({.color = true});
  run_.run(0, 120);
  EXPECT_THAT(all(), Not(HasSubstr("\x1b")));
  use({.terminal = true, .color = true});
  run_.run(120, 240);
  EXPECT_THAT(all(), HasSubstr("\x1b[1mtraining"));
}

}  // namespace
}  // namespace stoker
