#include "stoker/report/detail/history.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "stoker/report/detail/lines.h"

namespace stoker::detail {

namespace {
constexpr size_t kWarningsShown = 20;
}

void History::begin(const RunStarted& start, const std::filesystem::path& metrics) {
  std::ifstream file;
  if (start.first_step > 0) file.open(metrics);
  std::string text;
  while (file && std::getline(file, text)) {
    const auto line = from_json(text);
    if (!line || line->step > start.first_step) continue;
    if (std::holds_alternative<RunStarted>(line->event)) continue;
    if (!std::holds_alternative<RunFinished>(line->event)) add(line->event);
  }
  earlier_ = so_far_;
  so_far_ = {};
  start_ = start;
  last_step_ = start.first_step;
}

void History::add(const Event& event) {
  if (const auto* step = std::get_if<StepDone>(&event)) {
    steps_.add(*step);
    busy_.add(step->time);
    training_ += step->time;
    so_far_ += step->time;
    last_step_ = step->step;
  } else if (const auto* evaluation = std::get_if<EvaluationDone>(&event)) {
    evaluations_.push_back(*evaluation);
    so_far_.evaluation += evaluation->seconds;
  } else if (const auto* epoch = std::get_if<EpochDone>(&event)) {
    epochs_.push_back(*epoch);
    TimeSplit& time = epochs_.back().time;
    if (epoch->evaluation) time.evaluation = epoch->evaluation->seconds;
    time.checkpoint = saving_;
    saving_ = 0;
  } else if (const auto* checkpoint = std::get_if<CheckpointSaved>(&event)) {
    add_checkpoint(*checkpoint);
  } else if (const auto* warned = std::get_if<Warned>(&event)) {
    ++num_warnings_;
    if (warnings_.size() < kWarningsShown) warnings_.push_back(warned->message);
  } else if (const auto* finished = std::get_if<RunFinished>(&event)) {
    finished_ = *finished;
  }
}

void History::add_checkpoint(const CheckpointSaved& checkpoint) {
  so_far_.checkpoint += checkpoint.seconds;
  if (!epochs_.empty() && epochs_.back().step == checkpoint.step) {
    epochs_.back().time.checkpoint += checkpoint.seconds;
  } else {
    saving_ += checkpoint.seconds;
  }
}

TimeSplit History::time() const {
  TimeSplit time = earlier_;
  time += finished_ ? finished_->time : so_far_;
  return time;
}

std::optional<double> History::target_accuracy() const {
  return finished_ && finished_->target_accuracy ? finished_->target_accuracy
                                                 : start_.target_accuracy;
}

const EvaluationDone* History::best() const {
  const EvaluationDone* best = nullptr;
  for (const EvaluationDone& evaluation : evaluations_) {
    if (std::isnan(evaluation.accuracy)) continue;
    if (best == nullptr || evaluation.accuracy > best->accuracy) best = &evaluation;
  }
  return best;
}

const EvaluationDone* History::last() const {
  return evaluations_.empty() ? nullptr : &evaluations_.back();
}

}  // namespace stoker::detail
