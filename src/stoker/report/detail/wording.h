#pragma once

#include <string>
#include <utility>
#include <vector>

#include "stoker/report/detail/history.h"

namespace stoker::detail {

/// 0.7123 -> "71.2 %".
std::string percent(double share);

/// Four significant digits, without an exponent where it stays readable: "0.05",
/// "1.2e-05".
std::string short_number(double value);

/// What the training came to, for somebody who reads one sentence: accuracy, target,
/// time.
std::string headline(const History& history);

/// Kinds of memory and their bytes as text, the whole process last.
std::vector<std::pair<std::string, std::string>> memory_rows(const MemorySplit& memory);

}  // namespace stoker::detail
