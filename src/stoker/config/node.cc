#include "stoker/config/node.h"

#include "stoker/base/strings.h"

namespace stoker::config {

namespace {
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        out += c;
    }
  }
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
  std::string operator()(std::monostate /*nothing*/) const { return "\"\""; }
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

}  // namespace stoker::config
