#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "stoker/data/text/detail/unicode.h"
#include "stoker/data/text/utf8.h"

namespace stoker::data::detail {

/// Collects one word after the other, at most `max_characters` long, in one buffer.
class WordBuffer {
 public:
  explicit WordBuffer(size_t max_characters)
      : max_characters_(max_characters), bytes_(max_characters * 4 + 4, '\0') {}

  bool empty() const { return num_characters_ == 0; }
  /// Longer than a word may be; its text is then not whole.
  bool too_long() const { return num_characters_ > max_characters_; }
  std::string_view text() const { return {bytes_.data(), size_}; }
  void clear() { num_characters_ = size_ = num_combining_ = 0; }

  void add_ascii(char byte) {
    if (++num_characters_ <= max_characters_) bytes_[size_++] = byte;
  }
  /// A character as it is: `encoded` is its UTF-8.
  void add(std::string_view encoded);
  void add(char32_t character);
  /// A character that may have to go before earlier ones of a higher combining class.
  void add_combining(char32_t character);
  /// Nothing sorts across what was added so far.
  void stop_sorting() { num_combining_ = 0; }

 private:
  size_t max_characters_;
  std::string bytes_;
  size_t size_ = 0;
  size_t num_characters_ = 0;
  // The run of combining characters at the end of the word, while it ends at size_.
  size_t num_combining_ = 0;
  size_t combining_end_ = 0;
};

/// BERT's splitting of a text into words: control characters go, Chinese characters and
/// punctuation stand alone, white space separates. Uncased, words are decomposed (NFD),
/// lose their non-spacing marks and get lower case, character by character.
class BertWords {
 public:
  explicit BertWords(bool lowercase);

  /// Calls emit(WordBuffer&) for each word of a well-formed text.
  template <typename Emit>
  void split(std::string_view text, WordBuffer& word, const Emit& emit) const {
    const auto flush = [&] {
      if (!word.empty()) emit(word);
      word.clear();
    };
    const char* at = text.data();
    const char* const end = at + text.size();
    word.clear();
    while (at < end) {
      const auto byte = static_cast<unsigned char>(*at);
      if (byte >= 0x80) {
        const char* const from = at;
        const char32_t character = next_character(at);
        const Character about = table_[character];
        const bool apart = stands_apart(about);
        if (apart) flush();
        add(character, about, {from, static_cast<size_t>(at - from)}, word);
        if (apart) flush();
        continue;
      }
      ++at;
      const Ascii ascii = ascii_[byte];
      switch (ascii.kind) {
        case BertClass::kWord:
          word.add_ascii(ascii.target);
          break;
        case BertClass::kSpace:
          flush();
          break;
        case BertClass::kPunctuation:
          flush();
          word.add_ascii(ascii.target);
          flush();
          break;
        case BertClass::kDrop:
        case BertClass::kCjk:
        case BertClass::kMark:
        case BertClass::kStarterMark:
        case BertClass::kHangul:
          break;
      }
    }
    flush();
  }

 private:
  struct Ascii {
    BertClass kind;
    char target;
  };
  bool stands_apart(Character about) const;
  void add(char32_t character, Character about, std::string_view encoded,
           WordBuffer& word) const;
  void add_expansion(const Expansion& expansion, WordBuffer& word) const;

  const UnicodeTable& table_;
  bool lowercase_;
  std::array<Ascii, 128> ascii_;
};

}  // namespace stoker::data::detail
