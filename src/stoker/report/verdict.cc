#include "stoker/report/verdict.h"

#include <cmath>

#include "stoker/base/strings.h"

namespace stoker {

namespace {
constexpr double kDataBoundBusy = 0.70;
constexpr double kComputeBoundBusy = 0.95;
constexpr double kFluctuation = 0.15;
constexpr size_t kFewestWindows = 8;
constexpr double kHeavyEvaluation = 0.25;
constexpr double kHeavyCheckpoint = 0.10;

double deviation(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) mean += value / n;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean) / n;
  return std::sqrt(squares);
}

Limit find_limit(const TimeSplit& training, const TimeSplit& wall,
                 const Verdict& verdict) {
  const double waiting = training.data_wait + training.other;
  if (wall.evaluation >= kHeavyEvaluation * wall.total() && wall.evaluation > waiting &&
      wall.evaluation >= wall.checkpoint) {
    return Limit::kEvaluation;
  }
  if (wall.checkpoint >= kHeavyCheckpoint * wall.total() && wall.checkpoint > waiting) {
    return Limit::kCheckpoint;
  }
  if (verdict.busy < kDataBoundBusy || verdict.fluctuating) {
    return training.data_wait >= training.other ? Limit::kData : Limit::kHost;
  }
  return verdict.busy >= kComputeBoundBusy ? Limit::kCompute : Limit::kBalanced;
}

void note_larger(double share, const std::string& name, double& largest,
                 std::string& largest_name) {
  if (share <= largest) return;
  largest = share;
  largest_name = name;
}

std::string percent(double share) { return cat(fixed(100 * share, 1), " %"); }
}  // namespace

std::vector<std::pair<std::string, double>> parts(const TimeSplit& time) {
  return {{"waiting for data", time.data_wait},
          {"copy to the device", time.copy},
          {"forward", time.forward},
          {"backward", time.backward},
          {"optimizer", time.optimizer},
          {"evaluation", time.evaluation},
          {"checkpoints", time.checkpoint},
          {"other", time.other}};
}

Verdict judge(const TimeSplit& training, const TimeSplit& wall,
              const std::vector<double>& busy_by_window) {
  Verdict verdict;
  if (!(training.total() > 0 && wall.total() > 0)) return verdict;
  verdict.busy = training.busy() / training.total();
  verdict.fluctuating =
      busy_by_window.size() >= kFewestWindows && deviation(busy_by_window) > kFluctuation;
  const auto all = parts(wall);
  for (const auto& [name, seconds] : all) {
    note_larger(seconds / wall.total(), name, verdict.largest_share,
                verdict.largest_part);
  }
  for (const auto& [name, seconds] : {all[0], all[5], all[6], all[7]}) {
    note_larger(seconds / wall.total(), name, verdict.loss_share, verdict.largest_loss);
  }
  verdict.limit = find_limit(training, wall, verdict);
  return verdict;
}

std::string sentence(const Verdict& verdict) {
  const std::string busy =
      cat("the device was busy ", percent(verdict.busy), " of the training time",
          verdict.fluctuating ? ", with large swings" : "");
  std::string where = cat("; the largest part of the wall time is ", verdict.largest_part,
                          " with ", percent(verdict.largest_share));
  if (!verdict.largest_loss.empty() && verdict.largest_loss != verdict.largest_part) {
    where += cat(", the largest loss is ", verdict.largest_loss, " with ",
                 percent(verdict.loss_share));
  }
  switch (verdict.limit) {
    case Limit::kNothingMeasured:
      return "No training step was measured yet.";
    case Limit::kData:
      return cat("Data-bound: ", busy, " and waited for samples", where, ".");
    case Limit::kHost:
      return cat("Host-bound: ", busy,
                 " and waited for other work of the host, not for data", where, ".");
    case Limit::kEvaluation:
      return cat("Evaluation takes much of the time: ", busy, where, ".");
    case Limit::kCheckpoint:
      return cat("Saving takes much of the time: ", busy, where, ".");
    case Limit::kCompute:
      return cat("Compute-bound: ", busy, ", so the data was not the limit", where, ".");
    case Limit::kBalanced:
      return cat("No single limit: ", busy, where, ".");
  }
  return {};
}

}  // namespace stoker
