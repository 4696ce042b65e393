#include "stoker/config/reader.h"

#include <algorithm>
#include <cmath>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker::config {

namespace {
std::string describe(const Range& range, const char* kind) {
  if (std::isfinite(range.min) && std::isfinite(range.max)) {
    return cat(kind, " from ", range.min, " to ", range.max);
  }
  if (std::isfinite(range.min)) return cat(kind, " of at least ", range.min);
  if (std::isfinite(range.max)) return cat(kind, " of at most ", range.max);
  return kind;
}

bool inside(double value, const Range& range) {
  return value >= range.min && value <= range.max;
}

/// A number of either kind; a whole floating number is not an integer.
std::optional<double> number(const Node& node) {
  if (const auto* value = std::get_if<int64_t>(&node.value()))
    return static_cast<double>(*value);
  if (const auto* value = std::get_if<double>(&node.value())) return *value;
  return std::nullopt;
}
}  // namespace

Reader::Reader(const Node& table, std::string path)
    : table_(table), path_(std::move(path)) {
  if (!table.is_table() && !std::holds_alternative<std::monostate>(table.value())) {
    throw Error(ErrorCode::kInvalid, cat("[recipe] ", table.where().text(), ": ", path_,
                                         ": expected a table, got ", table.toml()));
  }
}

const Node* Reader::take(const char* key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end())
    known_.emplace_back(key);
  return table_.find(key);
}

void Reader::fail(const std::string& key, const std::string& expected) const {
  const std::string name = path_.empty() ? key : cat(path_, ".", key);
  const Node* node = table_.find(key);
  if (node == nullptr) {
    throw Error(ErrorCode::kInvalid, cat("[recipe] ", table_.where().text(), ": ", name,
                                         ": expected ", expected, ", got nothing"));
  }
  throw Error(ErrorCode::kInvalid, cat("[recipe] ", node->where().text(), ": ", name,
                                       ": expected ", expected, ", got ", node->toml()));
}

void Reader::read(const char* key, bool& value) {
  const Node* node = take(key);
  if (node == nullptr) return;
  const bool* got = std::get_if<bool>(&node->value());
  if (got == nullptr) fail(key, "true or false");
  value = *got;
}

void Reader::read(const char* key, int64_t& value, Range range) {
  const Node* node = take(key);
  if (node == nullptr) return;
  const int64_t* got = std::get_if<int64_t>(&node->value());
  if (got == nullptr || !inside(static_cast<double>(*got), range)) {
    fail(key, describe(range, "an integer"));
  }
  value = *got;
}

void Reader::read(const char* key, uint64_t& value) {
  auto whole = static_cast<int64_t>(value);
  read(key, whole, {0});
  value = static_cast<uint64_t>(whole);
}

void Reader::read(const char* key, double& value, Range range) {
  const Node* node = take(key);
  if (node == nullptr) return;
  const auto got = number(*node);
  if (!got || !inside(*got, range)) fail(key, describe(range, "a number"));
  value = *got;
}

void Reader::read(const char* key, std::string& value) {
  const Node* node = take(key);
  if (node == nullptr) return;
  if (!node->is_string()) fail(key, "a string");
  value = node->string();
}

void Reader::read(const char* key, std::vector<double>& value, Range range) {
  const Node* node = take(key);
  if (node == nullptr) return;
  if (!node->is_array()) fail(key, "a list of numbers");
  std::vector<double> all;
  for (const Node& item : node->array()) {
    const auto got = number(item);
    if (!got || !inside(*got, range))
      fail(key, cat("a list, each ", describe(range, "a number")));
    all.push_back(*got);
  }
  value = std::move(all);
}

void Reader::read(const char* key, std::vector<std::string>& value) {
  const Node* node = take(key);
  if (node == nullptr) return;
  if (!node->is_array()) fail(key, "a list of strings");
  std::vector<std::string> all;
  for (const Node& item : node->array()) {
    if (!item.is_string()) fail(key, "a list of strings");
    all.push_back(item.string());
  }
  value = std::move(all);
}

void Reader::read(const char* key, std::optional<int64_t>& value, Range range) {
  const Node* node = take(key);
  if (node == nullptr) return;
  if (node->is_string() && node->string() == "auto") {
    value.reset();
    return;
  }
  const int64_t* got = std::get_if<int64_t>(&node->value());
  if (got == nullptr || !inside(static_cast<double>(*got), range)) {
    fail(key, cat("\"auto\" or ", describe(range, "an integer")));
  }
  value = *got;
}

void Reader::read_choice(const char* key, std::string& value,
                         const std::vector<std::string>& allowed) {
  const Node* node = take(key);
  if (node == nullptr) return;
  if (node->is_string() &&
      std::find(allowed.begin(), allowed.end(), node->string()) != allowed.end()) {
    value = node->string();
    return;
  }
  const std::string best = node->is_string() ? nearest(node->string(), allowed) : "";
  const std::string name = path_.empty() ? key : cat(path_, ".", key);
  throw Error(ErrorCode::kInvalid,
              cat("[recipe] ", node->where().text(), ": ", name, ": expected one of ",
                  join(allowed, ", "), ", got ", node->toml(),
                  best.empty() ? "" : cat(", did you mean '", best, "'?")));
}

const Node* Reader::child(const char* key) { return take(key); }

bool Reader::has(const char* key) const { return table_.find(key) != nullptr; }

void Reader::require(const char* key) {
  if (take(key) == nullptr) fail(key, "a value");
}

void Reader::finish() const {
  if (!table_.is_table()) return;
  for (const auto& [key, node] : table_.table()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
    const std::string name = path_.empty() ? key : cat(path_, ".", key);
    throw Error(ErrorCode::kInvalid, cat("[recipe] ", node.where().text(), ": ", name,
                                         ": unknown key", suggestion(key, known_)));
  }
}

}  // namespace stoker::config
