#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "stoker/base/error.h"
#include "stoker/config/recipe.h"

namespace {

/// The plan that a recipe gives must be a recipe itself, with the same plan.
void check_plan(const stoker::config::Recipe& recipe) {
  const std::string plan = to_toml(recipe);
  if (to_toml(stoker::config::parse_recipe(plan, recipe.file)) != plan) std::abort();
}

}  // namespace

/// Any bytes as a recipe: read, or refused with Error(kInvalid). What stands before a NUL
/// byte is an override.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> overrides;
  if (const size_t end = text.find('\0'); end != std::string::npos) {
    overrides.push_back(text.substr(0, end));
    text.erase(0, end + 1);
  }
  stoker::config::Recipe recipe;
  try {
    recipe = stoker::config::parse_recipe(text, "/folder/recipe.toml", overrides);
  } catch (const stoker::Error& error) {
    if (error.code() != stoker::ErrorCode::kInvalid) std::abort();
    return 0;
  }
  check_plan(recipe);
  return 0;
}
