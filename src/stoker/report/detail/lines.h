#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "stoker/events/events.h"

namespace stoker::detail {

/// A line of metrics.jsonl: an event and the step that it belongs to.
struct Line {
  Event event;
  int64_t step = 0;
  std::string time;  ///< UTC, ISO 8601; empty for steps, which have none.
};

/// The JSON object of a line, without the line end.
std::string to_json(const Line& line);

/// Reads a line back, or gives nothing for what is not one: cut off, or of another kind.
std::optional<Line> from_json(std::string_view json);

/// The moment as UTC in ISO 8601, to the second.
std::string utc_now();

}  // namespace stoker::detail
