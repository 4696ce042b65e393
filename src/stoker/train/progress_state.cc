#include "stoker/train/progress_state.h"

#include <charconv>
#include <string>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker {

namespace {
template <typename T>
void read(const TrainingState& state, const std::string& name, T& value) {
  const auto found = state.values.find(name);
  if (found == state.values.end()) return;
  const std::string& text = found->second;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw Error(ErrorCode::kData, cat("[checkpoint] value '", name,
                                      "': expected a number, got '", text, "'"));
  }
}
}  // namespace

void ProgressState::start_epoch(int64_t number) {
  epoch = number;
  step_in_epoch = 0;
  epoch_samples = 0;
  epoch_correct = 0;
  epoch_loss_sum = 0;
}

void ProgressState::write(TrainingState& state) const {
  state.step = step;
  state.epoch = epoch;
  state.step_in_epoch = step_in_epoch;
  state.values["skipped"] = cat(skipped);
  state.values["epoch_samples"] = cat(epoch_samples);
  state.values["epoch_correct"] = cat(epoch_correct);
  state.values["epoch_loss_sum"] = cat(epoch_loss_sum);
  if (!best) return;
  state.values["best_epoch"] = cat(best->epoch);
  state.values["best_step"] = cat(best->step);
  state.values["best_samples"] = cat(best->samples);
  state.values["best_correct"] = cat(best->correct);
  state.values["best_loss"] = cat(best->loss);
}

ProgressState ProgressState::from(const TrainingState& state) {
  ProgressState progress;
  progress.step = state.step;
  progress.epoch = state.epoch;
  progress.step_in_epoch = state.step_in_epoch;
  read(state, "skipped", progress.skipped);
  read(state, "epoch_samples", progress.epoch_samples);
  read(state, "epoch_correct", progress.epoch_correct);
  read(state, "epoch_loss_sum", progress.epoch_loss_sum);
  if (state.values.count("best_epoch") == 0) return progress;
  EvaluationDone best;
  read(state, "best_epoch", best.epoch);
  read(state, "best_step", best.step);
  read(state, "best_samples", best.samples);
  read(state, "best_correct", best.correct);
  read(state, "best_loss", best.loss);
  best.accuracy = best.samples > 0 ? static_cast<double>(best.correct) /
                                         static_cast<double>(best.samples)
                                   : 0;
  best.best = true;
  progress.best = best;
  return progress;
}

}  // namespace stoker
