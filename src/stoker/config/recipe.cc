#include "stoker/config/recipe.h"

#include <algorithm>

#include "stoker/base/error.h"
#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/config/overrides.h"
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

/// Makes a path absolute; what follows "::" is a folder inside an archive and stays.
void resolve_path(Node& root, const char* table, const char* key,
                  const fs::path& folder) {
  Node* section = root.find(table);
  Node* value = section == nullptr ? nullptr : section->find(key);
  if (value == nullptr || !value->is_string() || value->string().empty()) return;
  const std::string text = value->string();
  const size_t inside = std::min(text.find("::"), text.size());
  const fs::path path = text.substr(0, inside);
  if (text.find("://") != std::string::npos || path.is_absolute()) return;
  value->value() = cat((folder / path).lexically_normal().string(), text.substr(inside));
}

void resolve_paths(Node& root, const fs::path& folder) {
  resolve_path(root, "data", "train", folder);
  resolve_path(root, "data", "val", folder);
  resolve_path(root, "model", "weights", folder);
}

fs::path folder_of(const fs::path& file) {
  return (fs::current_path() / file).parent_path();
}

/// The value of `extends`, taken out of the table.
std::optional<Node> take_extends(Node& root) {
  auto& table = root.table();
  const auto at = std::find_if(table.begin(), table.end(),
                               [](const auto& item) { return item.first == "extends"; });
  if (at == table.end()) return std::nullopt;
  const Node node = at->second;
  if (!node.is_string() || node.string().empty()) {
    throw Error(ErrorCode::kInvalid,
                cat("[recipe] ", node.where().text(),
                    ": extends: expected the path of a recipe, got ", node.toml()));
  }
  table.erase(at);
  return node;
}

/// The files from the first recipe to the one that is being read, and who asks for it.
struct Chain {
  std::vector<fs::path> files;
  std::string place;
  void add(const fs::path& file);
};

void Chain::add(const fs::path& file) {
  std::error_code failed;
  fs::path canonical = fs::weakly_canonical(file, failed);
  if (failed) canonical = file;  // Reading it says why.
  const auto seen = std::find(files.begin(), files.end(), canonical);
  if (seen != files.end()) {
    std::vector<std::string> names;
    for (auto at = seen; at != files.end(); ++at)
      names.push_back(at->filename().string());
    names.push_back(canonical.filename().string());
    throw Error(ErrorCode::kInvalid,
                cat("[recipe] ", place, ": extends: expected an end of the chain, got ",
                    join(names, " -> ")));
  }
  files.push_back(canonical);
}

std::string read_recipe_file(const fs::path& file, const std::string& place) {
  try {
    return read_file(file);
  } catch (const Error& error) {
    throw Error(ErrorCode::kInvalid,
                cat("[recipe] ", place.empty() ? file.string() : place,
                    ": expected a recipe file: ", error.what()));
  }
}

/// The file on top of what it extends.
Node load_chain(const fs::path& file, Chain chain) {
  Node root = parse_toml(read_recipe_file(file, chain.place), file.string());
  resolve_paths(root, folder_of(file));
  const std::optional<Node> extends = take_extends(root);
  if (!extends) return root;
  chain.place = extends->where().text();
  const fs::path base_file = file.parent_path() / extends->string();
  chain.add(base_file);
  Node base = load_chain(base_file, std::move(chain));
  merge(base, root);
  return base;
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
  Chain chain;
  chain.add(file);
  return finish(load_chain(file, std::move(chain)), file, overrides);
}

Recipe parse_recipe(const std::string& toml, const fs::path& file,
                    const std::vector<std::string>& overrides) {
  Node root = parse_toml(toml, file.string());
  resolve_paths(root, folder_of(file));
  return finish(std::move(root), file, overrides);
}

}  // namespace stoker::config
