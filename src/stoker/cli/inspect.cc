#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/base/units.h"
#include "stoker/checkpoint/store.h"
#include "stoker/cli/commands.h"
#include "stoker/cli/json_text.h"
#include "stoker/config/recipe.h"
#include "stoker/data/codecs/image.h"
#include "stoker/data/formats/record_source.h"

namespace stoker::cli {
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {
constexpr size_t kMostListed = 20;

std::string padded(std::string text, size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

void inspect_recipe(const std::string& path, const Console& console) {
  const config::Recipe recipe = config::load_recipe(path);
  if (console.json()) {
    console.line(to_text(
        Json{{"kind", "recipe"}, {"path", path}, {"toml", config::to_toml(recipe)}}));
    return;
  }
  console.line(cat("# ", path, ": a valid recipe; with every default written out:"));
  console.write(config::to_toml(recipe));
}

std::string shape_text(const torch::Tensor& tensor) {
  std::vector<std::string> sizes;
  for (const int64_t size : tensor.sizes()) sizes.push_back(cat(size));
  return cat("[", join(sizes, ", "), "]");
}

void print_tensors(const NamedTensors& tensors, const Console& console) {
  size_t width = 0;
  for (const auto& [name, tensor] : tensors) width = std::max(width, name.size());
  for (const auto& [name, tensor] : tensors) {
    console.line(cat("  ", padded(name, width), "  ", padded(shape_text(tensor), 18),
                     "  ", std::string(tensor.dtype().name())));
  }
}

Json tensors_json(const NamedTensors& tensors) {
  Json list = Json::array();
  for (const auto& [name, tensor] : tensors) {
    list.push_back({{"name", name},
                    {"shape", tensor.sizes().vec()},
                    {"dtype", std::string(tensor.dtype().name())}});
  }
  return list;
}

void inspect_safetensors(const std::string& path, const Console& console) {
  const SafeTensors file = read_safetensors(path);
  if (console.json()) {
    console.line(to_text(Json{{"kind", "safetensors"},
                              {"path", path},
                              {"metadata", file.metadata},
                              {"tensors", tensors_json(file.tensors)}}));
    return;
  }
  console.line(cat(path, ": safetensors, ", file.tensors.size(), " tensors"));
  print_tensors(file.tensors, console);
}

void inspect_checkpoint(const fs::path& path, const Console& console) {
  const TrainingState state = CheckpointStore::load(path);
  int64_t elements = 0;
  for (const auto& [name, tensor] : state.model) elements += tensor.numel();
  if (console.json()) {
    console.line(to_text(Json{{"kind", "checkpoint"},
                              {"path", path.string()},
                              {"step", state.step},
                              {"epoch", state.epoch},
                              {"step_in_epoch", state.step_in_epoch},
                              {"values", state.values},
                              {"classes", state.classes},
                              {"model", tensors_json(state.model)},
                              {"training", tensors_json(state.training)},
                              {"plan", state.plan_toml}}));
    return;
  }
  console.line(cat(path.string(), ": a complete checkpoint, every hash is right"));
  console.line(
      cat("update ", state.step, ": ", state.epoch, " epochs",
          state.step_in_epoch > 0 ? cat(" and ", state.step_in_epoch, " updates") : ""));
  for (const auto& [name, value] : state.values)
    console.line(cat("  ", name, " = ", value));
  console.line(cat("classes: ", join(state.classes, ", ")));
  console.line(cat("model: ", state.model.size(), " tensors, ", format_count(elements),
                   " elements"));
  print_tensors(state.model, console);
  console.line(cat("training state: ", state.training.size(), " tensors"));
  if (console.verbose()) print_tensors(state.training, console);
}

/// What reading every record of a data set showed.
struct DataCheck {
  int64_t readable = 0;
  std::map<std::string, int64_t> formats;
  std::map<std::string, int64_t> sizes;
  std::vector<std::pair<std::string, std::string>> bad;
};

DataCheck check_records(const data::RecordSource& source, int channels) {
  DataCheck check;
  data::RecordBuffer buffer;
  data::ImageDecoder decoder;
  data::Image image;
  for (int64_t i = 0; i < source.describe().num_records; ++i) {
    const auto record = source.read(i, buffer);
    std::string reason;
    if (!record) {
      reason = record.reason();
    } else if (const auto info = decoder.probe(record->bytes); !info) {
      reason = info.reason();
    } else if (const auto decoded = decoder.decode(record->bytes, channels, image);
               !decoded) {
      reason = decoded.reason();
    } else {
      ++check.readable;
      ++check.formats[info->format];
      ++check.sizes[cat(info->width, "x", info->height)];
      continue;
    }
    check.bad.emplace_back(source.name(i), reason);
  }
  return check;
}

std::vector<std::pair<std::string, int64_t>> by_count(
    const std::map<std::string, int64_t>& map) {
  std::vector<std::pair<std::string, int64_t>> sorted(map.begin(), map.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

Json data_json(const data::SourceDescription& about, const DataCheck& check) {
  Json json{{"kind", "data"},
            {"path", about.path},
            {"format", about.format},
            {"records", about.num_records},
            {"readable", check.readable},
            {"notes", about.notes}};
  for (size_t i = 0; i < about.classes.size(); ++i) {
    json["classes"].push_back(
        {{"label", i}, {"name", about.classes[i]}, {"records", about.class_counts[i]}});
  }
  json["image_formats"] = check.formats;
  json["sizes"] = check.sizes;
  json["bad"] = Json::array();
  for (const auto& [name, reason] : check.bad) {
    json["bad"].push_back({{"name", name}, {"reason", reason}});
  }
  return json;
}

void print_data(const data::SourceDescription& about, const DataCheck& check,
                const Console& console) {
  console.line(cat(about.path, ": ", about.format, ", ", format_count(about.num_records),
                   " records, ", about.classes.size(), " classes"));
  for (const auto& note : about.notes) console.line(cat("  note: ", note));
  size_t width = 5;
  for (const auto& name : about.classes) width = std::max(width, name.size());
  for (size_t i = 0; i < about.classes.size(); ++i) {
    console.line(cat("  ", padded(cat(i), 4), "  ", padded(about.classes[i], width), "  ",
                     format_count(about.class_counts[i])));
  }
  const auto sizes = by_count(check.sizes);
  for (size_t i = 0; i < std::min<size_t>(5, sizes.size()); ++i) {
    console.line(
        cat("  ", sizes[i].first, ": ", format_count(sizes[i].second), " images"));
  }
  if (sizes.size() > 5) console.line(cat("  and ", sizes.size() - 5, " other sizes"));
  console.line(cat("readable: ", format_count(check.readable), " of ",
                   format_count(about.num_records)));
  for (size_t i = 0; i < std::min(kMostListed, check.bad.size()); ++i) {
    console.line(cat("  bad: ", check.bad[i].first, ": ", check.bad[i].second));
  }
  if (check.bad.size() > kMostListed) {
    console.line(
        cat("  and ", check.bad.size() - kMostListed, " more (all with --json)"));
  }
}

int inspect_data(const std::string& path, int channels, const Console& console) {
  const auto source = data::open_source(path, {});
  const DataCheck check = check_records(*source, channels);
  if (console.json()) {
    console.line(to_text(data_json(source->describe(), check)));
  } else {
    print_data(source->describe(), check, console);
  }
  return check.bad.empty() ? 0 : 1;
}

int run_inspect(const std::string& path, int channels, const Console& console) {
  if (fs::path(path).extension() == ".toml") {
    inspect_recipe(path, console);
    return 0;
  }
  if (fs::path(path).extension() == ".safetensors") {
    inspect_safetensors(path, console);
    return 0;
  }
  std::error_code ignored;
  const auto holds = [&](const char* name) {
    return fs::exists(fs::path(path) / name, ignored);
  };
  if (holds("manifest.json") || holds("checkpoints") || holds("plan.toml")) {
    inspect_checkpoint(CheckpointStore::find(path, /*prefer_best=*/false), console);
    return 0;
  }
  return inspect_data(path, channels, console);
}
}  // namespace

void add_inspect(CLI::App& app, Console& console, int& status) {
  auto* command = app.add_subcommand(
      "inspect", "Look into a recipe, a checkpoint, a safetensors file or a data set");
  auto path = std::make_shared<std::string>();
  auto channels = std::make_shared<int>(3);
  command
      ->add_option("path", *path,
                   "Recipe, run, checkpoint, .safetensors, folder or archive")
      ->required();
  command->add_option("--channels", *channels, "Channels that images are decoded to")
      ->check(CLI::IsMember({1, 3}));
  command->footer(
      "Examples:\n"
      "  stoker inspect examples/data/cifar10/train\n"
      "  stoker inspect runs/quickstart-001\n"
      "A data set is read whole; the exit status is 1 when a record is unreadable.");
  command->callback([path, channels, &console, &status] {
    status = run_inspect(*path, *channels, console);
  });
}

}  // namespace stoker::cli
