#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stoker::data::detail {

/// What BERT's splitting into words makes of a character.
enum class BertClass : uint8_t {
  kWord,         ///< Part of a word.
  kDrop,         ///< Control and format characters, U+FFFD: as if they were not there.
  kSpace,        ///< Ends a word.
  kPunctuation,  ///< A word of its own.
  kCjk,          ///< A Chinese character: a word of its own.
  kMark,         ///< A non-spacing mark: taken away if uncased.
  kStarterMark,  ///< A mark that other marks are not sorted across.
  kHangul,       ///< A syllable, which is taken apart if uncased.
};

/// What GPT-2's pattern sees: \p{L}, \p{N}, \s, or none of them.
enum class PatternClass : uint8_t { kLetter, kNumber, kSpace, kOther };

/// Packed properties of one character.
class Character {
 public:
  Character() = default;
  Character(BertClass bert, PatternClass pattern)
      : bits_(static_cast<uint32_t>(bert) | static_cast<uint32_t>(pattern) << 3) {}

  BertClass bert() const { return static_cast<BertClass>(bits_ & 7); }
  PatternClass pattern() const { return static_cast<PatternClass>(bits_ >> 3 & 3); }
  /// Sorts among its neighbours: has a combining class and is no kMark, or maps to such.
  bool combines() const { return (bits_ & 1 << 5) != 0; }
  /// One other character stands for it if uncased: target().
  bool maps_to_one() const { return (bits_ & 1 << 6) != 0; }
  /// Several characters stand for it if uncased: row target() of the table.
  bool maps_to_several() const { return (bits_ & 1 << 7) != 0; }
  char32_t target() const { return bits_ >> 8; }

  void set_combines() { bits_ |= 1 << 5; }
  void set_one(char32_t target) { bits_ |= 1 << 6 | target << 8; }
  void set_several(uint32_t row) { bits_ |= 1 << 7 | row << 8; }
  uint32_t bits() const { return bits_; }

 private:
  uint32_t bits_ = 0;
};

/// Characters that stand for one: `count` of them.
struct Expansion {
  char32_t characters[4];
  int count;
};

/// Properties of all characters as two levels of pages.
class UnicodeTable {
 public:
  /// The table, made on first use.
  static const UnicodeTable& get();

  Character operator[](char32_t character) const {
    return pages_[size_t{page_of_[character >> 8]} << 8 | (character & 255)];
  }
  Expansion expansion(Character character) const;

 private:
  UnicodeTable();
  std::vector<uint16_t> page_of_;
  std::vector<Character> pages_;
};

/// The jamo of a syllable (Unicode, section 3.12).
Expansion decompose_hangul(char32_t syllable);

/// The canonical combining class of a character that is no mark; 0 for most.
int combining_class(char32_t character);

}  // namespace stoker::data::detail
