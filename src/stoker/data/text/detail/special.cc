#include "stoker/data/text/detail/special.h"

#include <algorithm>
#include <functional>

namespace stoker::data::detail {

SpecialTokens::SpecialTokens(const Vocabulary& vocabulary,
                             const std::vector<std::string>& names)
    : names_(names) {
  std::ranges::stable_sort(names_, std::ranges::greater(), &std::string::size);
  for (const std::string& name : names_) {
    ids_.push_back(vocabulary.at(name));
    if (first_bytes_.find(name[0]) == std::string::npos) first_bytes_ += name[0];
  }
}

SpecialTokens::Place SpecialTokens::next(std::string_view text, size_t at) const {
  const auto candidate = [&](size_t from) {
    return first_bytes_.size() == 1 ? text.find(first_bytes_[0], from)
                                    : text.find_first_of(first_bytes_, from);
  };
  if (names_.empty()) return {text.size(), 0, -1};
  for (at = candidate(at); at != std::string_view::npos; at = candidate(at + 1)) {
    for (size_t i = 0; i < names_.size(); ++i) {
      if (text.substr(at).starts_with(names_[i])) return {at, names_[i].size(), ids_[i]};
    }
  }
  return {text.size(), 0, -1};
}

bool SpecialTokens::contains(int32_t id) const {
  return std::ranges::find(ids_, id) != ids_.end();
}

}  // namespace stoker::data::detail
