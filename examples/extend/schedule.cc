#include "schedule.h"

#include <cmath>

namespace stoker {

double exponential(const config::ScheduleConfig& schedule, double lr,
                   const CurvePoint& at) {
  return lr * std::pow(schedule.gamma, at.epochs);
}

}  // namespace stoker
