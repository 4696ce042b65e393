#include "stoker/report/detail/status_line.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stoker/base/strings.h"
#include "stoker/base/units.h"
#include "stoker/report/detail/wording.h"

namespace stoker::detail {

namespace {
constexpr size_t kWidestBar = 30;
constexpr size_t kNarrowestBar = 6;

std::string bar(double done, size_t width) {
  const auto filled =
      static_cast<size_t>(std::clamp(done, 0.0, 1.0) * static_cast<double>(width));
  std::string out(filled, '=');
  if (filled < width) out += '>';
  out.resize(width, ' ');
  return cat("[", out, "]");
}

std::string padded(const std::string& text, size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string position(int64_t epoch, int64_t epochs) {
  const std::string last = cat(epochs);
  return cat("epoch ", padded(cat(epoch), last.size()), "/", last);
}

std::string whole_percent(double share) {
  return std::isfinite(share) ? cat(std::llround(100 * share)) : "-";
}

std::string rate(double samples_per_second) {
  return std::isfinite(samples_per_second)
             ? cat(format_count(std::llround(samples_per_second)), " img/s")
             : "- img/s";
}

std::string loss(const Status& status) { return cat("loss ", fixed(status.loss, 3)); }

std::string left(const Status& status) {
  return status.evaluating ? "evaluating"
                           : cat("left ", format_left(status.left_seconds));
}
}  // namespace

std::string format_left(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  const std::int64_t whole = std::llround(std::max(0.0, seconds));
  const auto two = [](int64_t n) { return cat(n < 10 ? "0" : "", n); };
  if (whole < 3600) return cat(whole / 60, ":", two(whole % 60));
  return cat(whole / 3600, ":", two(whole / 60 % 60), ":", two(whole % 60));
}

std::string status_line(const Status& status, int columns) {
  const auto room = static_cast<size_t>(std::max(1, columns - 1));
  const std::string head = position(status.epoch, status.epochs);
  const std::string percent_done = padded(whole_percent(status.done) + "%", 4);
  // From the most wanted to the least; they are shown in the order of `shown`.
  std::vector<std::string> fields = {left(status), loss(status),
                                     rate(status.samples_per_second),
                                     cat("busy ", whole_percent(status.busy), "%")};
  const auto tail = [&] {
    std::string out = percent_done;
    for (const size_t i : {size_t{2}, size_t{1}, size_t{3}, size_t{0}}) {
      if (i < fields.size()) out += "  " + fields[i];
    }
    return out;
  };
  while (fields.size() > 1 && head.size() + 2 + tail().size() > room) fields.pop_back();
  const size_t used = head.size() + 2 + tail().size();
  std::string line = head;
  if (used + kNarrowestBar + 4 <= room) {
    line += "  " + bar(status.done, std::min(kWidestBar, room - used - 4));
  }
  line += "  " + tail();
  return line.substr(0, room);
}

std::string status_record(const Status& status) {
  return cat(position(status.epoch, status.epochs), "  ",
             padded(whole_percent(status.done), 3), " %  ", loss(status), "  ",
             rate(status.samples_per_second), "  busy ", whole_percent(status.busy),
             " %  ", left(status));
}

std::string epoch_line(const EpochDone& epoch, int64_t epochs, size_t room) {
  std::string head = cat(position(epoch.epoch, epochs), "  loss ", fixed(epoch.loss, 3),
                         "  train ", percent(epoch.accuracy));
  if (epoch.evaluation) {
    head += cat("  test ", percent(epoch.evaluation->accuracy),
                epoch.evaluation->best ? " (best)" : "");
  }
  std::string line;
  // Without the first `left_out` of these where it would be too long.
  const std::string fields[] = {cat("  lr ", short_number(epoch.learning_rate)),
                                cat("  busy ", percent(epoch.busy)),
                                cat("  ", rate(epoch.samples_per_second))};
  for (size_t left_out = 0; left_out <= 3; ++left_out) {
    line = head;
    for (const size_t i : {size_t{0}, size_t{2}, size_t{1}}) {
      if (i >= left_out) line += fields[i];
    }
    line += cat("  ", format_duration(epoch.seconds));
    if (line.size() <= room) break;
  }
  return line;
}

}  // namespace stoker::detail
