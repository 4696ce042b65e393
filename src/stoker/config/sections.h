#pragma once

#include "stoker/config/node.h"
#include "stoker/config/recipe.h"

namespace stoker::config {

/// A parsed table as a recipe, checked. Relative data paths stay as they are written.
Recipe read_recipe(const Node& root);

}  // namespace stoker::config
