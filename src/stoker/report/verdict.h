#pragma once

#include <string>
#include <utility>
#include <vector>

#include "stoker/events/events.h"

namespace stoker {

/// What held a training back.
enum class Limit {
  kNothingMeasured,  ///< No training time yet.
  kData,             ///< The device waits for samples, always or now and then.
  kHost,             ///< The device waits for the host's own work.
  kEvaluation,       ///< Much of the wall time goes to evaluation.
  kCheckpoint,       ///< Much of the wall time goes to saving.
  kCompute,          ///< The device is busy nearly always.
  kBalanced,         ///< In between: no single limit stands out.
};

struct Verdict {
  Limit limit = Limit::kNothingMeasured;
  double busy = 0;           ///< 0..1 of the time of the steps.
  bool fluctuating = false;  ///< The busy share jumps from window to window.
  std::string largest_part;  ///< "backward"
  double largest_share = 0;  ///< 0..1 of the wall time.
  std::string largest_loss;  ///< The largest part in which the device does not train.
  double loss_share = 0;     ///< 0..1 of the wall time.
};

/// Judges where a training's time went: `training` is that of its steps, `wall` all of
/// it, with evaluation, saving and what came before the first step. `busy_by_window` are
/// busy shares (0..1) of equal stretches of the training, in order; at least 8 are needed
/// to call them fluctuating.
///
/// Data-bound: busy below 70 % and more waiting for data than other overhead, or busy
/// shares with a standard deviation above 15 points. Compute-bound: busy 95 % or more.
/// Evaluation from 25 % and saving from 10 % of the wall time are called out where
/// waiting costs less.
Verdict judge(const TimeSplit& training, const TimeSplit& wall,
              const std::vector<double>& busy_by_window);

/// One sentence: what the limit is, by which figures.
std::string sentence(const Verdict& verdict);

/// The parts of a split in their order, by the name that a person reads.
std::vector<std::pair<std::string, double>> parts(const TimeSplit& time);

}  // namespace stoker
