#pragma once

#include <string>

#include "stoker/config/node.h"

namespace stoker::config {

/// Parses TOML. Throws Error(kInvalid) with file and line for a syntax error.
Node parse_toml(const std::string& text, const std::string& file);

}  // namespace stoker::config
