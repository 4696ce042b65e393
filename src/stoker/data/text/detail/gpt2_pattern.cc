#include "stoker/data/text/detail/gpt2_pattern.h"

#include <string>
#include <vector>

#include "stoker/data/text/detail/unicode.h"
#include "stoker/data/text/utf8.h"

namespace stoker::data::detail {

namespace {
/// Classes of ASCII without a look into the pages.
std::array<PatternClass, 128> make_ascii() {
  std::array<PatternClass, 128> classes{};
  for (char32_t c = 0; c < 128; ++c) classes[c] = UnicodeTable::get()[c].pattern();
  return classes;
}

/// The class of the character at `at`, which moves behind it.
PatternClass next_class(const char*& at) {
  static const std::array<PatternClass, 128> ascii = make_ascii();
  const auto byte = static_cast<unsigned char>(*at);
  if (byte < 0x80) {
    ++at;
    return ascii[byte];
  }
  return UnicodeTable::get()[next_character(at)].pattern();
}

/// The size of 's, 't, 're, 've, 'm, 'll or 'd at the start, or 0.
size_t short_form(std::string_view text) {
  if (text.size() < 2 || text[0] != '\'') return 0;
  switch (text[1]) {
    case 's':
    case 't':
    case 'm':
    case 'd':
      return 2;
    case 'r':
    case 'v':
      return text.size() > 2 && text[2] == 'e' ? 3 : 0;
    case 'l':
      return text.size() > 2 && text[2] == 'l' ? 3 : 0;
    default:
      return 0;
  }
}

/// White space: all of it at the end of the text; before other characters all but the
/// last, which is left to them, unless it is the only one.
const char* end_of_spaces(const char* at, const char* end) {
  const char* last = at;
  const char* next = at;
  size_t count = 0;
  while (next < end) {
    const char* after = next;
    if (next_class(after) != PatternClass::kSpace) break;
    last = next;
    next = after;
    ++count;
  }
  return next == end || count == 1 ? next : last;
}

constexpr std::array<bool, 256> kPrintable = [] {
  std::array<bool, 256> printable{};
  for (size_t byte = 0; byte < 256; ++byte)
    printable[byte] = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD);
  return printable;
}();

/// The other bytes get the characters from U+0100 on.
struct Alphabet {
  Alphabet() {
    char32_t next = 0x100;
    for (size_t byte = 0; byte < 256; ++byte) {
      const char32_t character = kPrintable[byte] ? static_cast<char32_t>(byte) : next++;
      if (character >= bytes.size()) bytes.resize(character + 1, -1);
      bytes[character] = static_cast<int>(byte);
      append_utf8(encoded[byte], character);
      views[byte] = encoded[byte];
    }
  }
  std::array<std::string, 256> encoded;
  std::array<std::string_view, 256> views;
  std::vector<int> bytes = std::vector<int>(256, -1);
};

const Alphabet& alphabet() {
  static const Alphabet made;
  return made;
}
}  // namespace

size_t gpt2_piece_end(std::string_view text, size_t at) {
  const char* const begin = text.data() + at;
  const char* const end = text.data() + text.size();
  if (const size_t size = short_form(text.substr(at)); size > 0) return at + size;
  const char* next = begin;
  PatternClass kind = next_class(next);
  if (kind == PatternClass::kSpace && *begin == ' ' && next < end)
    kind = next_class(next);
  if (kind == PatternClass::kSpace)
    return at + static_cast<size_t>(end_of_spaces(begin, end) - begin);
  while (next < end) {
    const char* after = next;
    if (next_class(after) != kind) break;
    next = after;
  }
  return at + static_cast<size_t>(next - begin);
}

const std::array<std::string_view, 256>& byte_characters() { return alphabet().views; }

int byte_of_character(char32_t character) {
  const auto& bytes = alphabet().bytes;
  return character < bytes.size() ? bytes[character] : -1;
}

}  // namespace stoker::data::detail
