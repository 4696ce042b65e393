#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace stoker {

namespace detail {
void append(std::string& out, std::string_view text);
void append(std::string& out, double value);
template <typename T>
requires std::is_arithmetic_v<T>
void append_number(std::string& out, T value) {
  if constexpr (std::is_same_v<T, bool>) {
    append(out, std::string_view(value ? "true" : "false"));
  } else if constexpr (std::is_same_v<T, char>) {
    out.push_back(value);
  } else if constexpr (std::is_integral_v<T>) {
    out += std::to_string(value);
  } else {
    append(out, static_cast<double>(value));
  }
}
template <typename T>
void append_any(std::string& out, const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    append_number(out, value);
  } else {
    append(out, std::string_view(value));
  }
}
}  // namespace detail

/// Strings and numbers, one after the other; a floating number in its shortest exact
/// form.
template <typename... Parts>
std::string cat(const Parts&... parts) {
  std::string out;
  (detail::append_any(out, parts), ...);
  return out;
}

/// The parts with `separator` between them.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

std::vector<std::string> split(std::string_view text, char separator);
std::string_view trim(std::string_view text);
std::string lower(std::string_view text);

/// A number with `decimals` digits after the point.
std::string fixed(double value, int decimals);

/// The known name nearest to `name`, or "" when none is near: for "did you mean".
std::string nearest(std::string_view name, const std::vector<std::string>& known);

/// `, did you mean 'x'?` for the nearest known name, else `; known: a, b, c`.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace stoker
