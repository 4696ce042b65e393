#include "stoker/config/toml.h"

#include <toml++/toml.h>

#include <algorithm>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker::config {

namespace {
Location location(const toml::source_region& region, const std::string& file) {
  return {file, static_cast<int>(region.begin.line)};
}

Node convert(const toml::node& node, const std::string& file);

Node convert_table(const toml::table& table, const std::string& file,
                   const Location& where) {
  // toml++ sorts by name; people read in the order in which they wrote.
  struct Entry {
    toml::source_position position;
    std::string key;
    const toml::node* node;
  };
  std::vector<Entry> entries;
  for (const auto& [key, value] : table) {
    entries.push_back({key.source().begin, std::string(key.str()), &value});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.position.line, a.position.column) <
           std::pair(b.position.line, b.position.column);
  });
  Node::Table out;
  for (const Entry& entry : entries)
    out.emplace_back(entry.key, convert(*entry.node, file));
  return {std::move(out), where};
}

Node convert(const toml::node& node, const std::string& file) {
  const Location where = location(node.source(), file);
  if (const auto* table = node.as_table()) return convert_table(*table, file, where);
  if (const auto* array = node.as_array()) {
    Node::Array out;
    for (const auto& item : *array) out.push_back(convert(item, file));
    return {std::move(out), where};
  }
  if (const auto* value = node.as_string()) return {value->get(), where};
  if (const auto* value = node.as_integer()) return {value->get(), where};
  if (const auto* value = node.as_floating_point()) return {value->get(), where};
  if (const auto* value = node.as_boolean()) return {value->get(), where};
  throw Error(ErrorCode::kInvalid, cat("[recipe] ", where.text(),
                                       ": expected a string, a number, true or false, a "
                                       "list or a table, got a date or time"));
}
}  // namespace

Node parse_toml(const std::string& text, const std::string& file) {
  try {
    return convert_table(toml::parse(text, file), file, {file, 0});
  } catch (const toml::parse_error& error) {
    throw Error(ErrorCode::kInvalid,
                cat("[recipe] ", location(error.source(), file).text(), ": ",
                    error.description()));
  }
}

}  // namespace stoker::config
