#include "stoker/config/toml.h"

#include <toml++/toml.h>

#include <algorithm>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker::config {

namespace {
[[noreturn]] void refuse(const Location& where, const std::string& reason) {
  throw Error(ErrorCode::kInvalid, cat("[recipe] ", where.text(), ": ", reason));
}

Location location(const toml::source_region& region, const std::string& file) {
  return {file, static_cast<int>(region.begin.line)};
}

constexpr int kMaxDepth = 64;
// toml++ recurses once for each dot of a key; a line with more overflows its stack.
constexpr int64_t kMaxDotsPerLine = 4096;

Node convert(const toml::node& node, const std::string& file, int depth);

Node convert_table(const toml::table& table, const std::string& file,
                   const Location& where, int depth) {
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
    out.emplace_back(entry.key, convert(*entry.node, file, depth + 1));
  return {std::move(out), where};
}

Node convert(const toml::node& node, const std::string& file, int depth) {
  const Location where = location(node.source(), file);
  if (depth > kMaxDepth) refuse(where, cat("expected at most ", kMaxDepth, " levels"));
  if (const auto* table = node.as_table())
    return convert_table(*table, file, where, depth);
  if (const auto* array = node.as_array()) {
    Node::Array out;
    for (const auto& item : *array) out.push_back(convert(item, file, depth + 1));
    return {std::move(out), where};
  }
  if (const auto* value = node.as_string()) return {value->get(), where};
  if (const auto* value = node.as_integer()) return {value->get(), where};
  if (const auto* value = node.as_floating_point()) return {value->get(), where};
  if (const auto* value = node.as_boolean()) return {value->get(), where};
  refuse(where,
         "expected a string, a number, true or false, a list or a table, got a date or "
         "time");
}

void check_dots(const std::string& text, const std::string& file) {
  int line = 1;
  for (const std::string& content : split(text, '\n')) {
    if (std::count(content.begin(), content.end(), '.') > kMaxDotsPerLine) {
      refuse({file, line},
             cat("expected at most ", kMaxDotsPerLine, " points in a line"));
    }
    ++line;
  }
}
}  // namespace

Node parse_toml(const std::string& text, const std::string& file) {
  check_dots(text, file);
  try {
    return convert_table(toml::parse(text, file), file, {file, 0}, 0);
  } catch (const toml::parse_error& error) {
    refuse(location(error.source(), file), std::string(error.description()));
  }
}

}  // namespace stoker::config
