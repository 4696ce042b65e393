#include "stoker/config/node.h"

#include <algorithm>

#include "stoker/base/strings.h"

namespace stoker::config {

namespace {
std::string escaped(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte != 0x7F) return {c};
  constexpr char kDigits[] = "0123456789ABCDEF";
  return cat("\\u00", kDigits[byte >> 4], kDigits[byte & 15]);
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += escaped(c);
  return out + "\"";
}

bool is_bare(const std::string& key) {
  return !key.empty() && key.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                             "XYZ0123456789_-") == std::string::npos;
}

/// A floating number that TOML reads as one: with a point or an exponent.
std::string float_text(double value) {
  std::string text = cat(value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

struct Writer {
  std::string operator()(std::monostate /*nothing*/) const { return "{}"; }
  std::string operator()(bool value) const { return cat(value); }
  std::string operator()(int64_t value) const { return cat(value); }
  std::string operator()(double value) const { return float_text(value); }
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(const Node::Array& array) const {
    std::vector<std::string> parts;
    for (const Node& item : array) parts.push_back(item.toml());
    return cat("[", join(parts, ", "), "]");
  }
  std::string operator()(const Node::Table& table) const {
    std::vector<std::string> parts;
    for (const auto& [key, item] : table)
      parts.push_back(cat(toml_key(key), " = ", item.toml()));
    return parts.empty() ? "{}" : cat("{ ", join(parts, ", "), " }");
  }
};
}  // namespace

std::string Location::text() const { return line > 0 ? cat(file, ":", line) : file; }

std::string toml_key(const std::string& key) { return is_bare(key) ? key : quoted(key); }

std::string Node::kind() const {
  switch (value_.index()) {
    case 1:
      return "true or false";
    case 2:
      return "an integer";
    case 3:
      return "a number";
    case 4:
      return "a string";
    case 5:
      return "a list";
    case 6:
      return "a table";
    default:
      return "nothing";
  }
}

const Node* Node::find(std::string_view key) const {
  if (!is_table()) return nullptr;
  for (const auto& [name, node] : table()) {
    if (name == key) return &node;
  }
  return nullptr;
}

Node* Node::find(std::string_view key) {
  return const_cast<Node*>(static_cast<const Node*>(this)->find(key));
}

std::string Node::toml() const { return std::visit(Writer{}, value_); }

bool Node::operator==(const Node& other) const {
  if (!is_table() || !other.is_table()) return value_ == other.value_;
  return table().size() == other.table().size() &&
         std::all_of(table().begin(), table().end(), [&](const auto& item) {
           const Node* theirs = other.find(item.first);
           return theirs != nullptr && item.second == *theirs;
         });
}

}  // namespace stoker::config
