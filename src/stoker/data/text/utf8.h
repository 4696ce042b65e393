#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "stoker/base/error.h"

namespace stoker::data {

/// The first byte that belongs to no well-formed sequence (Unicode, table 3-7: no
/// overlong forms, no surrogates, nothing above U+10FFFF), if there is one.
std::optional<size_t> invalid_utf8_at(std::string_view text);

/// Success, or a failure that names the first wrong byte.
Status check_utf8(std::string_view text);

/// The text with U+FFFD for each maximal ill-formed part (Unicode, section 3.9).
std::string repair_utf8(std::string_view text);

void append_utf8(std::string& out, char32_t character);

/// The character at `at`, which moves behind it. The text must be well-formed.
inline char32_t next_character(const char*& at) {
  const auto byte = [&](int i) { return static_cast<unsigned char>(at[i]); };
  const char32_t first = byte(0);
  char32_t character = first;
  int size = 1;
  if (first >= 0xF0) {
    character = (first & 7) << 18 | (byte(1) & 63u) << 12 | (byte(2) & 63u) << 6 |
                (byte(3) & 63u);
    size = 4;
  } else if (first >= 0xE0) {
    character = (first & 15) << 12 | (byte(1) & 63u) << 6 | (byte(2) & 63u);
    size = 3;
  } else if (first >= 0x80) {
    character = (first & 31) << 6 | (byte(1) & 63u);
    size = 2;
  }
  at += size;
  return character;
}

}  // namespace stoker::data
