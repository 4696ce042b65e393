#include "stoker/data/text/detail/bert_words.h"

#include <algorithm>
#include <cstring>

namespace stoker::data::detail {

void WordBuffer::add(std::string_view encoded) {
  num_combining_ = 0;
  if (++num_characters_ > max_characters_) return;
  std::memcpy(bytes_.data() + size_, encoded.data(), encoded.size());
  size_ += encoded.size();
}

void WordBuffer::add(char32_t character) {
  std::string encoded;  // Short enough for the string's own memory.
  append_utf8(encoded, character);
  add(encoded);
}

void WordBuffer::add_combining(char32_t character) {
  size_t run = combining_end_ == size_ ? num_combining_ : 0;
  add(character);
  if (too_long()) return;
  // Walks back over the run while what is there has a higher class: a stable insertion.
  size_t end = size_;
  size_t size = 0;
  const auto start_of_last = [&](size_t from) {
    do --from;
    while ((bytes_[from] & 0xC0) == 0x80);
    return from;
  };
  size_t at = start_of_last(end);
  size = end - at;
  for (size_t left = run; left > 0; --left) {
    const size_t before = start_of_last(at);
    const char* cursor = bytes_.data() + before;
    if (combining_class(next_character(cursor)) <= combining_class(character)) break;
    at = before;
  }
  std::rotate(bytes_.begin() + static_cast<ptrdiff_t>(at),
              bytes_.begin() + static_cast<ptrdiff_t>(end - size),
              bytes_.begin() + static_cast<ptrdiff_t>(end));
  num_combining_ = run + 1;
  combining_end_ = size_;
}

BertWords::BertWords(bool lowercase)
    : table_(UnicodeTable::get()), lowercase_(lowercase), ascii_() {
  for (char32_t c = 0; c < 128; ++c) {
    const Character about = table_[c];
    const bool changes = lowercase && about.maps_to_one();
    ascii_[c] = {about.bert(), static_cast<char>(changes ? about.target() : c)};
  }
}

bool BertWords::stands_apart(Character about) const {
  const auto is_punctuation = [](Character character) {
    return character.bert() == BertClass::kPunctuation;
  };
  if (about.bert() == BertClass::kSpace || about.bert() == BertClass::kCjk) return true;
  // Uncased, some symbols lose a stroke and become punctuation: U+2260 is "=".
  if (lowercase_ && about.maps_to_one()) return is_punctuation(table_[about.target()]);
  return is_punctuation(about);
}

void BertWords::add(char32_t character, Character about, std::string_view encoded,
                    WordBuffer& word) const {
  const BertClass kind = about.bert();
  if (kind == BertClass::kDrop || kind == BertClass::kSpace) return;
  if (!lowercase_) return word.add(encoded);
  if (kind == BertClass::kMark) return;
  if (kind == BertClass::kStarterMark) return word.stop_sorting();
  if (kind == BertClass::kHangul) return add_expansion(decompose_hangul(character), word);
  if (about.maps_to_several()) return add_expansion(table_.expansion(about), word);
  if (about.maps_to_one()) character = about.target();
  if (about.combines()) return word.add_combining(character);
  if (about.maps_to_one()) return word.add(character);
  word.add(encoded);
}

void BertWords::add_expansion(const Expansion& expansion, WordBuffer& word) const {
  for (int i = 0; i < expansion.count; ++i) {
    const char32_t character = expansion.characters[i];
    if (combining_class(character) > 0) {
      word.add_combining(character);
    } else {
      word.add(character);
    }
  }
}

}  // namespace stoker::data::detail
