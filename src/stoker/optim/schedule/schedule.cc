#include "stoker/optim/schedule/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/optim/schedule/curve.h"

namespace stoker {

namespace {
double constant(const config::ScheduleConfig& /*schedule*/, double lr,
                const CurvePoint& /*at*/) {
  return lr;
}
double cosine(const config::ScheduleConfig& schedule, double lr, const CurvePoint& at) {
  const double wave = 0.5 * (1 + std::cos(std::numbers::pi * at.fraction()));
  return schedule.to + (lr - schedule.to) * wave;
}
double linear(const config::ScheduleConfig& schedule, double lr, const CurvePoint& at) {
  return lr + (schedule.to - lr) * at.fraction();
}
double step_wise(const config::ScheduleConfig& schedule, double lr,
                 const CurvePoint& at) {
  return lr * std::pow(schedule.gamma, std::floor(at.epochs / schedule.step_epochs));
}
double multi_step(const config::ScheduleConfig& schedule, double lr,
                  const CurvePoint& at) {
  const auto passed =
      std::count_if(schedule.milestones.begin(), schedule.milestones.end(),
                    [&](double milestone) { return at.epochs >= milestone; });
  return lr * std::pow(schedule.gamma, static_cast<double>(passed));
}

struct Entry {
  const char* name;
  Curve curve;
};

// One line a schedule.
constexpr Entry kSchedules[] = {
    {"constant", constant}, {"cosine", cosine},         {"linear", linear},
    {"step", step_wise},    {"multi_step", multi_step},
};

Curve find_curve(const std::string& name) {
  for (const Entry& entry : kSchedules) {
    if (name == entry.name) return entry.curve;
  }
  throw Error(ErrorCode::kInvalid,
              cat("[optim] schedule.main.name: expected a known schedule, got '", name,
                  "'", suggestion(name, list_schedules())));
}

double warmup_length(const config::ScheduleConfig& schedule,
                     const TrainingLength& length) {
  const auto per_epoch = static_cast<double>(length.steps_per_epoch);
  const double epochs = schedule.warmup.steps > 0
                            ? static_cast<double>(schedule.warmup.steps) / per_epoch
                            : schedule.warmup.epochs;
  return schedule.unit == "epoch" ? epochs : std::round(epochs * per_epoch);
}
}  // namespace

std::vector<std::string> list_schedules() {
  std::vector<std::string> names;
  for (const Entry& entry : kSchedules) names.emplace_back(entry.name);
  return names;
}

double learning_rate(const config::ScheduleConfig& schedule, double lr, int64_t step,
                     const TrainingLength& length) {
  const bool by_epoch = schedule.unit == "epoch";
  const int64_t epoch = step / length.steps_per_epoch;
  const auto at = static_cast<double>(by_epoch ? epoch : step);
  const auto total = static_cast<double>(by_epoch ? length.epochs : length.total_steps());
  const double warmup = warmup_length(schedule, length);
  if (at < warmup) {
    if (!schedule.warmup.from) return lr * (at + 1) / warmup;
    return *schedule.warmup.from + (lr - *schedule.warmup.from) * at / warmup;
  }
  const double epochs =
      by_epoch ? at
               : static_cast<double>(step) / static_cast<double>(length.steps_per_epoch);
  return find_curve(schedule.name)(schedule, lr, {at - warmup, total - warmup, epochs});
}

void check_schedule(const config::ScheduleConfig& schedule,
                    const TrainingLength& length) {
  find_curve(schedule.name);
  const double warmup = warmup_length(schedule, length);
  const auto total = static_cast<double>(schedule.unit == "epoch" ? length.epochs
                                                                  : length.total_steps());
  if (warmup > total) {
    throw Error(ErrorCode::kInvalid,
                cat("[optim] schedule.warmup: expected at most the training's ", total,
                    " ", schedule.unit, "s, got ", warmup,
                    " (hint: a lower schedule.warmup.epochs or more train.epochs)"));
  }
}

}  // namespace stoker
