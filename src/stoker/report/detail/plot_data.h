#pragma once

#include <string>

#include "stoker/report/detail/history.h"

namespace stoker::detail {

/// What assets/report.js draws, as JSON: curves over epochs (fractions where a step falls
/// inside of one), at most 2,000 points each, and the time split in at most 100 bars.
std::string plot_data(const History& history);

}  // namespace stoker::detail
