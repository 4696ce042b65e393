#include "stoker/report/detail/wording.h"

#include <cmath>
#include <cstdio>

#include "stoker/base/strings.h"
#include "stoker/base/units.h"

namespace stoker::detail {

std::string percent(double share) {
  return std::isfinite(share) ? cat(fixed(100 * share, 1), " %") : "-";
}

std::string short_number(double value) {
  char text[32];
  return {text, static_cast<size_t>(std::snprintf(text, sizeof text, "%.4g", value))};
}

std::string headline(const History& history) {
  const int64_t epochs = history.epochs().empty() ? 0 : history.epochs().back().epoch;
  const std::string length = cat(format_count(epochs), epochs == 1 ? " epoch" : " epochs",
                                 " in ", format_duration(history.time().total()));
  const bool running = !history.finished();
  const EvaluationDone* best = history.best();
  if (best == nullptr) {
    return cat(running ? "So far " : "Trained ", length,
               "; accuracy was not evaluated yet.");
  }
  std::string out = cat(running ? "Reached " : "Trained to ", percent(best->accuracy),
                        " test accuracy", running ? " so far" : "", ", ", length);
  if (const auto target = history.target_accuracy()) {
    out += cat("; the target of ", percent(*target),
               best->accuracy >= *target ? " is reached" : " is not reached");
  }
  return out + ".";
}

std::vector<std::pair<std::string, std::string>> memory_rows(const MemorySplit& memory) {
  return {{"parameters", format_bytes(memory.parameters)},
          {"gradients", format_bytes(memory.gradients)},
          {"optimizer state", format_bytes(memory.optimizer)},
          {"activations and scratch", format_bytes(memory.activations)},
          {"loader's batches", format_bytes(memory.loader)},
          {"whole process (peak RSS)", format_bytes(memory.peak_rss)}};
}

}  // namespace stoker::detail
