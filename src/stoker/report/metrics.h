#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "stoker/events/events.h"

namespace stoker {

/// Writes `metrics.jsonl` into a run's folder: one JSON object a line, its `kind` one of
/// "start", "step", "evaluation", "epoch", "checkpoint", "warning" and "finish".
///
/// A number that is not finite is written as null, and its name stands in the list "nan"
/// of its object. All lines reach the file at every event but a step. A resumed run keeps
/// the lines up to its first step and drops what an interrupted run wrote after it, so
/// that the file is that of an uninterrupted run but for times. Throws Error(kIo).
class MetricsWriter : public Listener {
 public:
  explicit MetricsWriter(const std::filesystem::path& folder);
  void on(const Event& event) override;

 private:
  void begin(const RunStarted& start);

  std::filesystem::path path_;
  std::ofstream file_;
  int64_t last_step_ = 0;
};

}  // namespace stoker
