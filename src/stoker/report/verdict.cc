#include "stoker/report/verdict.h"

#include <algorithm>
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

Limit find_limit(const TimeSplit& time, double busy, bool fluctuating) {
  const double wall = time.total();
  const double waiting = time.data_wait + time.other;
  if (time.evaluation >= kHeavyEvaluation * wall && time.evaluation > waiting &&
      time.evaluation >= time.checkpoint) {
    return Limit::kEvaluation;
  }
  if (time.checkpoint >= kHeavyCheckpoint * wall && time.checkpoint > waiting) {
    return Limit::kCheckpoint;
  }
  if (busy < kDataBoundBusy || fluctuating) {
    return time.data_wait >= time.other ? Limit::kData : Limit::kHost;
  }
  return busy >= kComputeBoundBusy ? Limit::kCompute : Limit::kBalanced;
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

Verdict judge(const TimeSplit& time, const std::vector<double>& busy_by_window) {
  Verdict verdict;
  const double training = time.total() - time.evaluation - time.checkpoint;
  if (!(training > 0)) return verdict;
  verdict.busy = time.busy() / training;
  verdict.fluctuating =
      busy_by_window.size() >= kFewestWindows && deviation(busy_by_window) > kFluctuation;
  const auto all = parts(time);
  const auto largest =
      std::max_element(all.begin(), all.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  verdict.largest_part = largest->first;
  verdict.largest_share = largest->second / time.total();
  verdict.limit = find_limit(time, verdict.busy, verdict.fluctuating);
  return verdict;
}

std::string sentence(const Verdict& verdict) {
  const std::string busy =
      cat("the device was busy ", percent(verdict.busy), " of the training time");
  const std::string largest =
      cat("the largest part of the wall time is ", verdict.largest_part, " with ",
          percent(verdict.largest_share));
  switch (verdict.limit) {
    case Limit::kNothingMeasured:
      return "No training step was measured yet.";
    case Limit::kData:
      return cat("Data-bound: ", busy, verdict.fluctuating ? ", with large swings" : "",
                 ", and waited for samples; ", largest, ".");
    case Limit::kHost:
      return cat("Host-bound: ", busy, verdict.fluctuating ? ", with large swings" : "",
                 ", and the data was not the cause but other work of the host; ", largest,
                 ".");
    case Limit::kEvaluation:
      return cat("Evaluation takes much of the time: ", busy, "; ", largest, ".");
    case Limit::kCheckpoint:
      return cat("Saving checkpoints takes much of the time: ", busy, "; ", largest, ".");
    case Limit::kCompute:
      return cat("Compute-bound: ", busy, ", so the data was not the limit; ", largest,
                 ".");
    case Limit::kBalanced:
      return cat("No single limit: ", busy, "; ", largest, ".");
  }
  return {};
}

}  // namespace stoker
