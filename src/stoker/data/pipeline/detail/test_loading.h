#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "stoker/config/recipe.h"
#include "stoker/config/sections.h"
#include "stoker/config/toml.h"
#include "stoker/data/pipeline/loader.h"

namespace stoker::data::testing {

inline std::string cifar_path(const std::string& part) {
  return (std::filesystem::path(STOKER_SOURCE_DIR) / "examples/data/cifar10" / part)
      .string();
}

/// A program from what stands in the brackets of `augment = [...]`.
inline std::shared_ptr<const AugmentProgram> program_of(const std::string& text) {
  const std::string toml =
      "[data]\naugment = [" + text + "]\ntrain = \"x\"\n[model]\nname = \"resnet18\"\n";
  auto program = std::make_shared<AugmentProgram>(
      config::read_recipe(config::parse_toml(toml, "recipe.toml")).data.augment, 3,
      Layout::kNchw);
  if (program->height() == 0) program->set_size(32, 32);
  return program;
}

constexpr const char* kCifarTraining =
    "{ random_crop = { size = 32, padding = 4 } }, { hflip = { p = 0.5 } }, "
    "{ normalize = \"cifar10\" }";

}  // namespace stoker::data::testing
