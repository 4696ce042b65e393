#include "stoker/data/formats/detail/labels.h"

#include <algorithm>
#include <array>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker::data::detail {

std::vector<std::string> label_order(const std::string& place,
                                     std::vector<std::string> found,
                                     const std::vector<std::string>& wanted) {
  std::sort(found.begin(), found.end());
  if (wanted.empty()) return found;
  for (const std::string& name : found) {
    if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) continue;
    throw Error(ErrorCode::kInvalid,
                cat("[data] ", place, ": expected the ", wanted.size(),
                    " classes of the training data, got class '", name, "'",
                    suggestion(name, wanted)));
  }
  return wanted;
}

bool is_hidden_name(std::string_view name) {
  return name.starts_with('.') || name == "__MACOSX";
}

bool is_hidden_path(std::string_view path) {
  while (true) {
    const size_t slash = path.find('/');
    if (is_hidden_name(path.substr(0, slash))) return true;
    if (slash == std::string_view::npos) return false;
    path.remove_prefix(slash + 1);
  }
}

bool are_splits(const std::vector<std::string>& names) {
  static constexpr std::array<std::string_view, 9> kSplits = {
      "train", "training", "val",  "valid", "validation",
      "test",  "testing",  "eval", "dev"};
  return !names.empty() && std::all_of(names.begin(), names.end(), [](const auto& name) {
    return std::find(kSplits.begin(), kSplits.end(), lower(name)) != kSplits.end();
  });
}

}  // namespace stoker::data::detail
