#pragma once

#include <algorithm>

#include "stoker/config/recipe.h"

namespace stoker {

/// Where an update stands, in the unit of the schedule.
struct CurvePoint {
  double done = 0;    ///< Of the main part, which follows the warm-up.
  double length = 0;  ///< Of the main part.
  double epochs = 0;  ///< Since the start of the training.
  double fraction() const { return length > 0 ? std::min(1.0, done / length) : 1.0; }
};

/// The learning rate of the main part: a pure function; `lr` is that of the optimizer.
using Curve = double (*)(const config::ScheduleConfig& schedule, double lr,
                         const CurvePoint& at);

}  // namespace stoker
