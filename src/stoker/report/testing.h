#pragma once

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "stoker/events/events.h"

namespace stoker::testing {

/// Tells the events of a training that was never run, in closed form, so that what the
/// listeners make of them can be checked by hand: 5 epochs of 120 steps of 64 samples.
///
/// Step s has loss 2 / (1 + s / 100) (step 7: NaN), learning rate 0.1 (1 - s / 600) and
/// takes 32 ms: 1 waiting for data, 1 copy, 10 forward, 17 backward, 2 optimizer, 1
/// other. The evaluation after epoch e has accuracy 0.5 + 0.07 e, loss 1 / e and takes
/// 0.5 s, the saving of its checkpoint 0.25 s. So busy is 30 / 32 = 93.75 % and an epoch
/// takes 4.59 s.
class MadeUpRun {
 public:
  static constexpr int64_t kEpochs = 5;
  static constexpr int64_t kStepsPerEpoch = 120;
  static constexpr int64_t kSteps = kEpochs * kStepsPerEpoch;

  MadeUpRun(const Events& events, std::filesystem::path folder)
      : events_(events), folder_(std::move(folder)) {}

  /// From after `first_step` (the end of an epoch, or 0) to after `last_step`.
  void run(int64_t first_step, int64_t last_step) {
    start(first_step);
    for (int64_t s = first_step + 1; s <= last_step; ++s) {
      step(s);
      if (s % kStepsPerEpoch == 0) epoch(s / kStepsPerEpoch);
    }
  }
  void start(int64_t first_step) {
    RunStarted start;
    start.name = "made <script>alert(1)</script> & up";
    start.folder = folder_.string();
    start.device = "CPU, 2 threads";
    start.model = "resnet18";
    start.parameters = 11173962;
    start.classes = 10;
    start.train_samples = 64 * kStepsPerEpoch;
    start.val_samples = 1000;
    start.epochs = kEpochs;
    start.steps_per_epoch = kStepsPerEpoch;
    start.first_step = first_step;
    start.batch_equation = "64 = micro-batch 64 x accumulation 1 x ranks 1";
    start.plan_toml = "seed = 1\n[data]\ntrain = \"</pre><script>alert(2)</script>\"\n";
    start.notes = {"precision: float32, since the CPU has no bfloat16 units"};
    start.environment = {{"stoker", "0.1.0"}, {"LibTorch", "2.9.0"}};
    start.target_accuracy = 0.8;
    events_.tell(start);
  }
  void step(int64_t s) {
    StepDone step;
    step.step = s;
    step.epoch = (s - 1) / kStepsPerEpoch;
    step.step_in_epoch = (s - 1) % kStepsPerEpoch + 1;
    step.samples = 64;
    step.loss = s == 7 ? std::numeric_limits<double>::quiet_NaN()
                       : 2 / (1 + static_cast<double>(s) / 100);
    step.learning_rate = 0.1 * (1 - static_cast<double>(s) / kSteps);
    step.gradient_norm = 1.5;
    step.time = step_time();
    events_.tell(step);
    if (s == 7) events_.tell(Warned{"the gradient of 'fc.weight' is not finite"});
  }
  void epoch(int64_t done) {
    EvaluationDone evaluation;
    evaluation.epoch = done;
    evaluation.step = done * kStepsPerEpoch;
    evaluation.samples = 1000;
    evaluation.correct = 500 + 70 * done;
    evaluation.accuracy = 0.5 + 0.07 * static_cast<double>(done);
    evaluation.loss = 1 / static_cast<double>(done);
    evaluation.seconds = 0.5;
    evaluation.best = true;
    events_.tell(evaluation);
    events_.tell(
        CheckpointSaved{(folder_ / "checkpoints" / std::to_string(done)).string(),
                        evaluation.step, 45 << 20, 0.25, true, false});
    EpochDone epoch;
    epoch.epoch = done;
    epoch.step = evaluation.step;
    epoch.samples = 64 * kStepsPerEpoch;
    epoch.loss = 2 / (1 + static_cast<double>(epoch.step) / 100);
    epoch.accuracy = 0.45 + 0.08 * static_cast<double>(done);
    epoch.learning_rate = 0.1 * (1 - static_cast<double>(epoch.step) / kSteps);
    for (int64_t s = 0; s < kStepsPerEpoch; ++s) epoch.time += step_time();
    epoch.seconds = epoch.time.total();
    epoch.samples_per_second = static_cast<double>(epoch.samples) / epoch.seconds;
    epoch.busy = epoch.time.busy() / epoch.seconds;
    epoch.rss = int64_t{900} << 20;
    epoch.evaluation = evaluation;
    events_.tell(epoch);
    last_ = evaluation;
  }
  /// The end after `steps` steps of this start.
  void finish(bool completed, int64_t steps) {
    RunFinished end;
    end.completed = completed;
    if (!completed) {
      end.reason = "interrupted";
      end.resume_command = "stoker train made_up.toml --resume runs/made_up";
    }
    for (int64_t s = 0; s < steps; ++s) end.time += step_time();
    const auto epochs = static_cast<double>(steps / kStepsPerEpoch);
    end.busy = end.time.busy() / end.time.total();
    end.samples_per_second = 64 * static_cast<double>(steps) / end.time.total();
    end.time.evaluation = 0.5 * epochs;
    end.time.checkpoint = 0.25 * epochs;
    end.time.other += 0.2;
    end.wall_seconds = end.time.total();
    end.memory = {44695848,           44695848, 44695848,
                  int64_t{310} << 20, 24 << 20, int64_t{910} << 20};
    end.step = last_ ? last_->step : steps;
    end.last = last_;
    end.best = last_;
    end.bad_samples = {{"train/dog/<b>1</b>.jpg", "cut off after 512 bytes"}};
    end.target_accuracy = 0.8;
    end.outputs = {{"metrics", (folder_ / "metrics.jsonl").string()},
                   {"report", (folder_ / "report.html").string()}};
    events_.tell(end);
  }

  static TimeSplit step_time() {
    return {0.001, 0.001, 0.010, 0.017, 0.002, 0, 0, 0.001};
  }

 private:
  const Events& events_;
  std::filesystem::path folder_;
  std::optional<EvaluationDone> last_;
};

}  // namespace stoker::testing
