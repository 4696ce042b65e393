#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "stoker/cli/commands.h"
#include "stoker/cli/json_text.h"
#include "stoker/data/augment/program.h"
#include "stoker/data/codecs/image.h"
#include "stoker/data/formats/record_source.h"
#include "stoker/methods/method.h"
#include "stoker/models/model.h"
#include "stoker/optim/optimizer.h"
#include "stoker/optim/schedule/schedule.h"

namespace stoker::cli {

namespace {
struct Listing {
  const char* kind;
  std::vector<std::string> (*names)();
};

constexpr Listing kListings[] = {
    {"models", list_models},       {"formats", data::list_formats},
    {"codecs", data::list_codecs}, {"augmentations", data::list_augmentations},
    {"methods", list_methods},     {"optimizers", list_optimizers},
    {"schedules", list_schedules},
};

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const Listing& listing : kListings) names.emplace_back(listing.kind);
  return names;
}
}  // namespace

void add_list(CLI::App& app, Console& console, int& /*status*/) {
  auto* command = app.add_subcommand("list", "Names that a recipe can use");
  auto kind = std::make_shared<std::string>();
  command->add_option("kind", *kind, "What to list; all when left out")
      ->check(CLI::IsMember(kinds()));
  command->footer("Example: stoker list models");
  command->callback([&console, kind] {
    nlohmann::ordered_json all;
    for (const Listing& listing : kListings) {
      if (!kind->empty() && *kind != listing.kind) continue;
      all[listing.kind] = listing.names();
    }
    if (console.json()) {
      console.line(to_text(all));
      return;
    }
    for (const auto& [name, entries] : all.items()) {
      if (kind->empty()) console.line(name + ":");
      for (const auto& entry : entries) {
        console.line((kind->empty() ? "  " : "") + entry.get<std::string>());
      }
    }
  });
}

}  // namespace stoker::cli
