#pragma once

#include <string>

#include "stoker/config/node.h"

namespace stoker::config {

/// Puts `a.b=value` into a recipe's tree: a value as TOML writes it, or a bare word that
/// is a string. What it replaces goes whole. Throws Error(kInvalid) `--set a.b=value:
/// ...`.
void apply_override(Node& root, const std::string& text);

}  // namespace stoker::config
