#include "stoker/config/overrides.h"

#include <algorithm>
#include <vector>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/config/toml.h"

namespace stoker::config {

namespace {
[[noreturn]] void refuse(const std::string& place, const std::string& reason) {
  throw Error(ErrorCode::kInvalid, cat("[recipe] ", place, ": ", reason));
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

/// The only value of `value = text`, when that is what it is.
Node parse_value(const std::string& text, const std::string& place) {
  const Node parsed = parse_toml(cat("value = ", text), place);
  if (parsed.table().size() != 1) refuse(place, "expected one value");
  return placed(parsed.table().front().second, place);
}

Node value_of(const std::string& text, const std::string& place) {
  const bool bare =
      text.empty() || std::string("[{\"'").find(text[0]) == std::string::npos;
  if (!bare) return parse_value(text, place);
  try {
    return parse_value(text, place);
  } catch (const Error&) {
    // Through the parser again, which refuses what is not UTF-8.
    return parse_value(Node(text, {}).toml(), place);
  }
}

/// The table in which the last of the keys stands; tables on the way are made.
Node& table_of(Node& root, const std::vector<std::string>& keys,
               const std::string& place) {
  Node* at = &root;
  for (size_t i = 0; i + 1 < keys.size(); ++i) {
    Node* next = at->find(keys[i]);
    if (next == nullptr) {
      at->table().emplace_back(keys[i], Node(Node::Table{}, {place, 0}));
      next = &at->table().back().second;
    }
    if (!next->is_table()) {
      refuse(place, cat(keys[i], ": expected a table, got ", next->kind()));
    }
    at = next;
  }
  return *at;
}
}  // namespace

void apply_override(Node& root, const std::string& text) {
  const std::string place = cat("--set ", text);
  const size_t equals = text.find('=');
  const auto keys = split(trim(std::string_view(text).substr(0, equals)), '.');
  const bool nameless =
      std::any_of(keys.begin(), keys.end(), [](const auto& key) { return key.empty(); });
  if (equals == std::string::npos || nameless) {
    refuse(place, "expected key=value, as in train.epochs=2");
  }
  Node value =
      value_of(std::string(trim(std::string_view(text).substr(equals + 1))), place);
  Node& table = table_of(root, keys, place);
  if (Node* old = table.find(keys.back())) {
    *old = std::move(value);
  } else {
    table.table().emplace_back(keys.back(), std::move(value));
  }
}

}  // namespace stoker::config
