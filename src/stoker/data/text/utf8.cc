#include "stoker/data/text/utf8.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "stoker/base/strings.h"

namespace stoker::data {

namespace {
struct Sequence {
  size_t size = 1;  // Of the well-formed sequence, or of the ill-formed part.
  bool valid = false;
};

/// What the second byte may be, and how many follow the first: table 3-7.
struct Form {
  int num_following = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
};

Form form_of(unsigned char first) {
  if (first >= 0xC2 && first <= 0xDF) return {1};
  if (first == 0xE0) return {2, 0xA0};
  if (first == 0xED) return {2, 0x80, 0x9F};
  if (first >= 0xE1 && first <= 0xEF) return {2};
  if (first == 0xF0) return {3, 0x90};
  if (first >= 0xF1 && first <= 0xF3) return {3};
  if (first == 0xF4) return {3, 0x80, 0x8F};
  return {};
}

Sequence sequence_at(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(at) < 0x80) return {1, true};
  const Form form = form_of(byte(at));
  if (form.num_following == 0) return {};
  size_t size = 1;
  for (int i = 0; i < form.num_following; ++i, ++size) {
    const unsigned char low = i == 0 ? form.low : 0x80;
    const unsigned char high = i == 0 ? form.high : 0xBF;
    if (at + size == text.size() || byte(at + size) < low || byte(at + size) > high)
      return {size, false};
  }
  return {size, true};
}

/// Behind as many groups of eight ASCII bytes as follow `at`.
size_t skip_ascii(std::string_view text, size_t at) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  for (; at + 8 <= text.size(); at += 8) {
    uint64_t group = 0;
    std::memcpy(&group, text.data() + at, 8);
    if ((group & kHighBits) != 0) break;
  }
  return at;
}
}  // namespace

std::optional<size_t> invalid_utf8_at(std::string_view text) {
  for (size_t at = skip_ascii(text, 0); at < text.size();) {
    const Sequence sequence = sequence_at(text, at);
    if (!sequence.valid) return at;
    at += sequence.size;
    if (sequence.size > 1) at = skip_ascii(text, at);
  }
  return std::nullopt;
}

Status check_utf8(std::string_view text) {
  const auto at = invalid_utf8_at(text);
  if (!at) return Ok{};
  char byte[8];
  std::snprintf(byte, sizeof byte, "%02x", static_cast<unsigned char>(text[*at]));
  return Failure{cat("byte ", *at, ": expected UTF-8, got ", byte)};
}

std::string repair_utf8(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const Sequence sequence = sequence_at(text, at);
    out += sequence.valid ? text.substr(at, sequence.size) : "\xEF\xBF\xBD";
    at += sequence.size;
  }
  return out;
}

void append_utf8(std::string& out, char32_t character) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  const auto follow = [&](int shift) { put(0x80 | (character >> shift & 63)); };
  if (character < 0x80) {
    put(character);
  } else if (character < 0x800) {
    put(0xC0 | character >> 6);
    follow(0);
  } else if (character < 0x10000) {
    put(0xE0 | character >> 12);
    follow(6);
    follow(0);
  } else {
    put(0xF0 | character >> 18);
    follow(12);
    follow(6);
    follow(0);
  }
}

}  // namespace stoker::data
