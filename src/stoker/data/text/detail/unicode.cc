#include "stoker/data/text/detail/unicode.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace stoker::data::detail {

namespace {
constexpr size_t kNumCharacters = 0x110000;

/// Classes of the characters from `first` to the next row.
struct ClassRow {
  char32_t first;
  uint8_t bert;
  uint8_t pattern;
};

/// first, first + step, .. last become target, target + target_step, ..
struct MappingRun {
  char32_t first;
  char32_t last;
  uint32_t step;
  char32_t target;
  uint32_t target_step;
};

struct LongMapping {
  char32_t character;
  char32_t targets[4];
};

struct CombiningRow {
  char32_t character;
  int combining_class;
};

// Rows of numbers in braces of their own would double the table.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces"
#include "stoker/data/text/detail/unicode_tables.inc"
#pragma GCC diagnostic pop

constexpr char32_t kFirstSyllable = 0xAC00;
constexpr char32_t kLastSyllable = 0xD7A3;

void fill_classes(std::vector<Character>& flat) {
  for (size_t row = 0; row < std::size(kClasses); ++row) {
    const auto& [first, bert, pattern] = kClasses[row];
    const size_t end =
        row + 1 < std::size(kClasses) ? kClasses[row + 1].first : kNumCharacters;
    std::fill(
        flat.begin() + first, flat.begin() + static_cast<ptrdiff_t>(end),
        Character(static_cast<BertClass>(bert), static_cast<PatternClass>(pattern)));
  }
  std::fill(flat.begin() + kFirstSyllable, flat.begin() + kLastSyllable + 1,
            Character(BertClass::kHangul, PatternClass::kLetter));
}

void fill_mappings(std::vector<Character>& flat) {
  for (const MappingRun& run : kMappings) {
    char32_t target = run.target;
    for (char32_t c = run.first; c <= run.last; c += run.step, target += run.target_step)
      flat[c].set_one(target);
  }
  for (uint32_t row = 0; row < std::size(kLongMappings); ++row) {
    const LongMapping& mapping = kLongMappings[row];
    flat[mapping.character].set_several(row);
    if (std::ranges::any_of(mapping.targets,
                            [](char32_t c) { return combining_class(c) != 0; }))
      flat[mapping.character].set_combines();
  }
  for (const CombiningRow& row : kCombining) flat[row.character].set_combines();
}
}  // namespace

UnicodeTable::UnicodeTable() {
  std::vector<Character> flat(kNumCharacters);
  fill_classes(flat);
  fill_mappings(flat);
  const auto less = [](const Character* a, const Character* b) {
    return std::lexicographical_compare(
        a, a + 256, b, b + 256,
        [](Character x, Character y) { return x.bits() < y.bits(); });
  };
  std::map<const Character*, uint16_t, decltype(less)> known(less);
  for (size_t at = 0; at < kNumCharacters; at += 256) {
    const auto number = static_cast<uint16_t>(pages_.size() >> 8);
    const auto [page, added] = known.emplace(&flat[at], number);
    if (added) pages_.insert(pages_.end(), &flat[at], &flat[at] + 256);
    page_of_.push_back(page->second);
  }
}

const UnicodeTable& UnicodeTable::get() {
  static const UnicodeTable table;
  return table;
}

Expansion UnicodeTable::expansion(Character character) const {
  const auto& targets = kLongMappings[character.target()].targets;
  Expansion out{{targets[0], targets[1], targets[2], targets[3]}, 0};
  while (out.count < 4 && targets[out.count] != 0) ++out.count;
  return out;
}

Expansion decompose_hangul(char32_t syllable) {
  constexpr char32_t kNumVowels = 21;
  constexpr char32_t kNumTrailing = 28;
  const char32_t index = syllable - kFirstSyllable;
  const char32_t trailing = index % kNumTrailing;
  return {{0x1100 + index / (kNumVowels * kNumTrailing),
           0x1161 + index / kNumTrailing % kNumVowels, 0x11A7 + trailing},
          trailing == 0 ? 2 : 3};
}

int combining_class(char32_t character) {
  const auto* row =
      std::lower_bound(std::begin(kCombining), std::end(kCombining), character,
                       [](const CombiningRow& a, char32_t b) { return a.character < b; });
  if (row == std::end(kCombining) || row->character != character) return 0;
  return row->combining_class;
}

}  // namespace stoker::data::detail
