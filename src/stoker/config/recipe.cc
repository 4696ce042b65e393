#include "stoker/config/recipe.h"

#include <algorithm>

#include "stoker/base/error.h"
#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/config/sections.h"
#include "stoker/config/toml.h"

namespace stoker::config {
namespace fs = std::filesystem;

namespace {
/// Tables merge, everything else is replaced.
void merge(Node& base, const Node& over) {
  for (const auto& [key, value] : over.table()) {
    Node* mine = base.find(key);
    if (mine == nullptr) {
      base.table().emplace_back(key, value);
    } else if (mine->is_table() && value.is_table()) {
      merge(*mine, value);
    } else {
      *mine = value;
    }
  }
}

/// Makes a path absolute: relative to the folder of the file in which it was written.
void resolve_path(Node& root, const char* table, const char* key,
                  const fs::path& folder) {
  Node* section = root.find(table);
  Node* value = section == nullptr ? nullptr : section->find(key);
  if (value == nullptr || !value->is_string() || value->string().empty()) return;
  const std::string text = value->string();
  if (text.find("://") != std::string::npos || fs::path(text).is_absolute()) return;
  value->value() = (folder / text).lexically_normal().string();
}

void resolve_paths(Node& root, const fs::path& folder) {
  resolve_path(root, "data", "train", folder);
  resolve_path(root, "data", "val", folder);
  resolve_path(root, "model", "weights", folder);
}

/// The file with what it extends below it.
Node load_chain(const fs::path& file, std::vector<fs::path> seen) {
  const fs::path full = fs::absolute(file).lexically_normal();
  if (std::find(seen.begin(), seen.end(), full) != seen.end()) {
    throw Error(ErrorCode::kInvalid,
                cat("[recipe] ", file.string(), ": extends itself through ",
                    seen.back().filename().string()));
  }
  seen.push_back(full);
  std::string text;
  try {
    text = read_file(file);
  } catch (const Error& error) {
    throw Error(ErrorCode::kInvalid, cat("[recipe] ", file.string(),
                                         ": expected a recipe file: ", error.what()));
  }
  Node root = parse_toml(text, file.string());
  resolve_paths(root, full.parent_path());
  auto& table = root.table();
  const auto extends = std::find_if(table.begin(), table.end(), [](const auto& item) {
    return item.first == "extends";
  });
  if (extends == table.end()) return root;
  if (!extends->second.is_string()) {
    throw Error(ErrorCode::kInvalid,
                cat("[recipe] ", extends->second.where().text(),
                    ": extends: expected a path, got ", extends->second.toml()));
  }
  Node base = load_chain(full.parent_path() / extends->second.string(), std::move(seen));
  table.erase(extends);
  merge(base, root);
  return base;
}

Node override_value(const std::string& text, const std::string& place) {
  // A bare word is a string: --set model.name=resnet18.
  try {
    Node parsed = parse_toml(cat("value = ", text), place);
    if (parsed.table().size() == 1) return parsed.table().front().second;
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch)
  }
  return {text, {place, 0}};
}

/// The same value with another place, for messages.
Node placed(const Node& node, const std::string& place) {
  Node::Value value = node.value();
  if (auto* table = std::get_if<Node::Table>(&value)) {
    for (auto& [key, item] : *table) item = placed(item, place);
  } else if (auto* array = std::get_if<Node::Array>(&value)) {
    for (Node& item : *array) item = placed(item, place);
  }
  return {std::move(value), {place, 0}};
}

void apply_override(Node& root, const std::string& text) {
  const std::string place = cat("--set ", text);
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw Error(ErrorCode::kInvalid, cat("[recipe] ", place, ": expected a.b=value"));
  }
  const auto keys = split(trim(std::string_view(text).substr(0, equals)), '.');
  Node* at = &root;
  for (size_t i = 0; i + 1 < keys.size(); ++i) {
    Node* next = at->find(keys[i]);
    if (next == nullptr) {
      at->table().emplace_back(keys[i], Node(Node::Table{}, {place, 0}));
      next = &at->table().back().second;
    }
    if (!next->is_table()) {
      throw Error(ErrorCode::kInvalid, cat("[recipe] ", place, ": ", keys[i],
                                           ": expected a table, got ", next->kind()));
    }
    at = next;
  }
  Node value =
      placed(override_value(std::string(trim(text.substr(equals + 1))), place), place);
  if (Node* old = at->find(keys.back())) {
    *old = std::move(value);
  } else {
    at->table().emplace_back(keys.back(), std::move(value));
  }
}

/// Paths that an override gave are relative to the working directory, as on any command
/// line.
Recipe finish(Node root, const fs::path& file,
              const std::vector<std::string>& overrides) {
  for (const std::string& text : overrides) apply_override(root, text);
  if (!overrides.empty()) resolve_paths(root, fs::current_path());
  Recipe recipe = read_recipe(root);
  recipe.file = file;
  return recipe;
}
}  // namespace

Recipe load_recipe(const fs::path& file, const std::vector<std::string>& overrides) {
  return finish(load_chain(file, {}), file, overrides);
}

Recipe parse_recipe(const std::string& toml, const fs::path& file,
                    const std::vector<std::string>& overrides) {
  Node root = parse_toml(toml, file.string());
  resolve_paths(root, fs::absolute(file).parent_path());
  return finish(std::move(root), file, overrides);
}

}  // namespace stoker::config
