#include "stoker/base/units.h"

#include <cmath>

#include "stoker/base/strings.h"

namespace stoker {

std::string format_bytes(int64_t bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  // 1023.95 of a unit would be shown as 1024.0.
  while (std::abs(value) >= (unit == 0 ? 1024 : 1023.95) && unit < 4) {
    value /= 1024;
    ++unit;
  }
  return cat(fixed(value, unit == 0 ? 0 : 1), " ", kUnits[unit]);
}

std::string format_duration(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  if (seconds < 59.95) return cat(fixed(seconds, 1), " s");
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  const auto two = [](int64_t n) { return cat(n < 10 ? "0" : "", n); };
  if (whole < 3600) return cat(whole / 60, ":", two(whole % 60));
  return cat(whole / 3600, ":", two(whole / 60 % 60), ":", two(whole % 60));
}

std::string format_count(int64_t count) {
  std::string digits = std::to_string(count);
  const int64_t first = count < 0 ? 1 : 0;
  for (int64_t at = static_cast<int64_t>(digits.size()) - 3; at > first; at -= 3) {
    digits.insert(static_cast<size_t>(at), 1, ',');
  }
  return digits;
}

}  // namespace stoker
