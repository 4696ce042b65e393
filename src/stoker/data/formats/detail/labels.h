#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stoker::data::detail {

/// The class names in label order: `wanted` (of the training data), or the names found,
/// sorted. Throws Error(kInvalid) when `wanted` lacks a name that was found.
std::vector<std::string> label_order(const std::string& place,
                                     std::vector<std::string> found,
                                     const std::vector<std::string>& wanted);

/// Names that tools leave behind and no data set means: ".x", "._x", "__MACOSX".
bool is_hidden_name(std::string_view name);
/// True when any part of a path is hidden.
bool is_hidden_path(std::string_view path);

/// True when all names are those of parts of a data set: "train", "val", "test" ...
bool are_splits(const std::vector<std::string>& names);

}  // namespace stoker::data::detail
