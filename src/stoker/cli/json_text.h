#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace stoker::cli {

/// Indented, as people and programs read it. A name of a file that is not UTF-8 gets
/// U+FFFD for its broken bytes.
inline std::string to_text(const nlohmann::ordered_json& json) {
  constexpr int kIndent = 2;
  return json.dump(kIndent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace stoker::cli
