#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stoker/data/text/vocabulary.h"

namespace stoker::data::detail {

/// Tokens that stand for themselves in a text, such as [MASK] or <|endoftext|>: they are
/// looked for before anything else, the leftmost first and the longest of those.
class SpecialTokens {
 public:
  struct Place {
    size_t at = 0;
    size_t size = 0;
    int32_t id = -1;
  };

  SpecialTokens() = default;
  /// Names that the vocabulary does not hold are an Error(kData).
  SpecialTokens(const Vocabulary& vocabulary, const std::vector<std::string>& names);

  /// The next one from `at` on, or the end of the text with size 0.
  Place next(std::string_view text, size_t at) const;
  bool contains(int32_t id) const;
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;  // The longest first.
  std::vector<int32_t> ids_;
  std::string first_bytes_;
};

/// Calls on_text(piece) for what lies between special tokens and on_special(id) for them.
template <typename OnText, typename OnSpecial>
void split_special(std::string_view text, const SpecialTokens& special,
                   const OnText& on_text, const OnSpecial& on_special) {
  for (size_t at = 0; at < text.size();) {
    const SpecialTokens::Place place = special.next(text, at);
    if (place.at > at) on_text(text.substr(at, place.at - at));
    if (place.size > 0) on_special(place.id);
    at = place.at + place.size;
  }
}

}  // namespace stoker::data::detail
