#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "stoker/report/detail/series.h"
#include "stoker/report/verdict.h"

namespace stoker::detail {

/// All that the page shows of a training, over all its starts.
class History {
 public:
  /// Hears an event, or one that metrics.jsonl kept.
  void add(const Event& event);
  /// Takes the steps up to `start.first_step` from a metrics.jsonl, then `start` itself.
  void begin(const RunStarted& start, const std::filesystem::path& metrics);

  const RunStarted& start() const { return start_; }
  const StepSeries& steps() const { return steps_; }
  /// With the evaluation and the saving that belong to each.
  const std::vector<EpochDone>& epochs() const { return epochs_; }
  const std::vector<EvaluationDone>& evaluations() const { return evaluations_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  int64_t num_warnings() const { return num_warnings_; }
  /// Set at the end of this start.
  const std::optional<RunFinished>& finished() const { return finished_; }
  std::optional<double> target_accuracy() const;
  const EvaluationDone* best() const;
  const EvaluationDone* last() const;
  /// Time of all starts; its parts sum to the wall time.
  TimeSplit time() const;
  /// Of the steps of all starts.
  const TimeSplit& training() const { return training_; }
  Verdict verdict() const { return judge(training_, time(), busy_.shares()); }
  int64_t last_step() const { return last_step_; }

 private:
  void add_checkpoint(const CheckpointSaved& checkpoint);

  RunStarted start_;
  StepSeries steps_{2000};
  BusyWindows busy_;
  std::vector<EpochDone> epochs_;
  std::vector<EvaluationDone> evaluations_;
  std::vector<std::string> warnings_;
  int64_t num_warnings_ = 0;
  std::optional<RunFinished> finished_;
  TimeSplit training_;
  TimeSplit earlier_;  ///< Of the starts before this one.
  TimeSplit so_far_;   ///< Of this start, from its events.
  double saving_ = 0;  ///< Seconds that belong to the epoch that has not ended yet.
  int64_t last_step_ = 0;
};

}  // namespace stoker::detail
