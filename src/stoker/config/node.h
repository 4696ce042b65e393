#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace stoker::config {

/// Where a value was written: "recipe.toml:12", or "--set train.epochs=2".
struct Location {
  std::string file;
  int line = 0;
  std::string text() const;
};

/// A parsed value that knows where it was written. Tables keep the order of writing.
class Node {
 public:
  using Array = std::vector<Node>;
  using Table = std::vector<std::pair<std::string, Node>>;
  using Value =
      std::variant<std::monostate, bool, int64_t, double, std::string, Array, Table>;

  Node() = default;
  Node(Value value, Location where)
      : value_(std::move(value)), where_(std::move(where)) {}

  const Value& value() const { return value_; }
  Value& value() { return value_; }
  const Location& where() const { return where_; }
  bool is_table() const { return std::holds_alternative<Table>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  const Table& table() const { return std::get<Table>(value_); }
  Table& table() { return std::get<Table>(value_); }
  const Array& array() const { return std::get<Array>(value_); }
  const std::string& string() const { return std::get<std::string>(value_); }
  /// "a string", "an integer" ...: for messages.
  std::string kind() const;
  /// The value of a key of a table, or nothing.
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  /// As TOML writes it, in one line.
  std::string toml() const;
  /// Equal values; places and the order of keys in a table do not matter.
  bool operator==(const Node& other) const;

 private:
  Value value_;
  Location where_;
};

/// A key as TOML writes it: quoted when it has to be.
std::string toml_key(const std::string& key);

}  // namespace stoker::config
