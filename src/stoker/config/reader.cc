#include "stoker/config/reader.h"

#include <algorithm>
#include <cmath>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker::config {

namespace {
std::string bound(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
  return whole ? cat(static_cast<int64_t>(value)) : cat(value);
}

std::string describe(const Range& range, const char* kind) {
  const bool has_min = std::isfinite(range.min);
  const bool has_max = std::isfinite(range.max);
  if (has_min && has_max && !range.open_min && !range.open_max) {
    return cat(kind, " from ", bound(range.min), " to ", bound(range.max));
  }
  std::string text = kind;
  if (has_min)
    text += cat(range.open_min ? " above " : " of at least ", bound(range.min));
  if (has_min && has_max) text += " and";
  if (has_max) text += cat(range.open_max ? " below " : " of at most ", bound(range.max));
  return text;
}

bool inside(double value, const Range& range) {
  return std::isfinite(value) &&
         (range.open_min ? value > range.min : value >= range.min) &&
         (range.open_max ? value < range.max : value <= range.max);
}

std::optional<double> number(const Node& node) {
  if (const auto* value = std::get_if<int64_t>(&node.value()))
    return static_cast<double>(*value);
  if (const auto* value = std::get_if<double>(&node.value())) return *value;
  return std::nullopt;
}

std::optional<int64_t> integer(const Node& node, const Range& range) {
  const auto* value = std::get_if<int64_t>(&node.value());
  if (value == nullptr || !inside(static_cast<double>(*value), range))
    return std::nullopt;
  return *value;
}

/// The way to write what was probably meant: 2 for 2.0 and "2".
std::string integer_hint(const Node& node) {
  if (const auto* value = std::get_if<double>(&node.value())) {
    const bool whole = *value == std::floor(*value) && std::abs(*value) < 1e15;
    return whole ? cat("write ", static_cast<int64_t>(*value)) : "";
  }
  const bool digits = node.is_string() && !node.string().empty() &&
                      node.string().find_first_not_of("0123456789") == std::string::npos;
  return digits ? "write it without quotes" : "";
}

/// A value for a message, cut when it is long.
std::string shown(const Node& node) {
  constexpr size_t kLongest = 80;
  std::string text = node.toml();
  if (text.size() <= kLongest) return text;
  size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

[[noreturn]] void refuse(const Node& at, const std::string& name,
                         const std::string& reason) {
  throw Error(ErrorCode::kInvalid,
              cat("[recipe] ", at.where().text(), ": ", name, ": ", reason));
}
}  // namespace

Reader::Reader(const Node& table, std::string path)
    : table_(table), path_(std::move(path)) {
  if (!table.is_table() && !std::holds_alternative<std::monostate>(table.value())) {
    refuse(table, path_, cat("expected a table, got ", shown(table)));
  }
}

const Node* Reader::take(const char* key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end())
    known_.emplace_back(key);
  return table_.find(key);
}

template <typename T>
const Node* Reader::take_unless_auto(const char* key, std::optional<T>& value) {
  const Node* node = take(key);
  if (node == nullptr || !node->is_string() || node->string() != "auto") return node;
  value.reset();
  return nullptr;
}

std::string Reader::name_of(const std::string& key) const {
  return path_.empty() ? key : cat(path_, ".", key);
}

void Reader::fail(const std::string& key, const std::string& expected,
                  const std::string& hint) const {
  const Node* node = table_.find(key);
  refuse(node == nullptr ? table_ : *node, name_of(key),
         cat("expected ", expected, ", got ", node == nullptr ? "nothing" : shown(*node),
             hint.empty() ? "" : cat(" (", hint, ")")));
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
  const auto got = integer(*node, range);
  if (!got) fail(key, describe(range, "an integer"), integer_hint(*node));
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
  const Node* node = take_unless_auto(key, value);
  if (node == nullptr) return;
  value = integer(*node, range);
  if (!value) {
    fail(key, cat("\"auto\" or ", describe(range, "an integer")), integer_hint(*node));
  }
}

void Reader::read(const char* key, std::optional<double>& value, Range range) {
  const Node* node = take_unless_auto(key, value);
  if (node == nullptr) return;
  value = number(*node);
  if (!value || !inside(*value, range))
    fail(key, cat("\"auto\" or ", describe(range, "a number")));
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
  fail(key, cat("one of ", join(allowed, ", ")),
       best.empty() ? "" : cat("did you mean '", best, "'?"));
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
    refuse(node, name_of(key), cat("unknown key", suggestion(key, known_)));
  }
}

}  // namespace stoker::config
