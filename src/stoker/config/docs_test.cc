#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/config/recipe.h"
#include "stoker/config/testing.h"
#include "stoker/config/toml.h"

namespace stoker::config {
namespace {

/// Key to default, as the page's table of one section gives them.
using Keys = std::map<std::string, std::string>;

const std::string& page() {
  static const std::string text = read_file(STOKER_SOURCE_DIR "/docs/recipe.md");
  return text;
}

std::string without_quotes(std::string_view cell) {
  cell = trim(cell);
  if (cell.size() > 1 && cell.front() == '`' && cell.back() == '`')
    cell = cell.substr(1, cell.size() - 2);
  return std::string(cell);
}

/// The tables `| key | type | default | ...` below headings such as "## `[train]`".
std::map<std::string, Keys> documented() {
  std::map<std::string, Keys> sections;
  std::string section = "none";
  for (const std::string& line : split(page(), '\n')) {
    if (line.starts_with("#")) {
      const auto parts = split(line, '`');
      section = parts.size() == 3 ? parts[1] : "none";
    }
    if (section == "none" || !line.starts_with("| `")) continue;
    const auto cells = split(line, '|');
    sections[section][without_quotes(cells.at(1))] = without_quotes(cells.at(3));
  }
  return sections;
}

/// The keys that the reader names when it refuses one that is like none of them.
std::set<std::string> known_keys(const std::string& section) {
  constexpr std::string_view kStart = "unknown key; known: ";
  const std::string wrong =
      cat(section, section.empty() ? "" : ".", "q________________q=1");
  const std::string message = message_of(
      [&] { parse_recipe("data.train = 't'\nmodel.name = 'm'", "r.toml", {wrong}); });
  const size_t start = message.find(kStart);
  if (start == std::string::npos) return {message};
  std::set<std::string> keys;
  for (const auto& key : split(message.substr(start + kStart.size()), ','))
    keys.emplace(trim(key));
  return keys;
}

std::set<std::string> names_of(const Keys& keys) {
  std::set<std::string> names;
  for (const auto& [key, value] : keys) names.insert(key);
  return names;
}

const std::map<std::string, std::string> kSections = {
    {"recipe", ""},
    {"[data]", "data"},
    {"[train]", "train"},
    {"[optimizer]", "optimizer"},
    {"[schedule]", "schedule"},
    {"schedule.warmup", "schedule.warmup"},
    {"schedule.main", "schedule.main"},
    {"[checkpoint]", "checkpoint"},
    {"[report]", "report"},
    {"[targets]", "targets"}};

TEST(RecipePage, HasEachKeyOfEachSectionAndNoOther) {
  const auto sections = documented();
  for (const auto& [heading, section] : kSections) {
    ASSERT_TRUE(sections.contains(heading)) << heading;
    EXPECT_EQ(names_of(sections.at(heading)), known_keys(section)) << heading;
  }
  // The rest of these two tables is for the model and the method that they name.
  EXPECT_EQ(names_of(sections.at("[model]")),
            (std::set<std::string>{"name", "classes", "weights"}));
  EXPECT_EQ(names_of(sections.at("[[method]]")), (std::set<std::string>{"name"}));
  EXPECT_EQ(sections.size(), kSections.size() + 2);
}

TEST(RecipePage, GivesTheDefaultsThatThePlanHas) {
  const Recipe defaults = parse_recipe("data.train = 't'\nmodel.name = 'm'", "r.toml");
  const Node plan = parse_toml(to_toml(defaults), "plan");
  const auto sections = documented();
  for (const auto& [heading, section] : kSections) {
    const Node* table = &plan;
    for (const auto& key : split(section, '.')) {
      if (!key.empty()) table = table->find(key);
      ASSERT_NE(table, nullptr) << section;
    }
    for (const auto& [key, value] : sections.at(heading)) {
      const Node* node = table->find(key);
      if (value == "required" || value == "none" || value == "below") continue;
      ASSERT_NE(node, nullptr) << heading << " " << key;
      EXPECT_EQ(node->toml(), value) << heading << " " << key;
    }
  }
}

TEST(RecipePage, ItsExamplesAreRecipes) {
  size_t count = 0;
  size_t start = 0;
  constexpr std::string_view kFence = "```toml\n";
  while ((start = page().find(kFence, start)) != std::string::npos) {
    start += kFence.size();
    const std::string example = page().substr(start, page().find("```", start) - start);
    EXPECT_EQ(message_of([&] { parse_recipe(example, "recipe.md"); }), "no error")
        << example;
    ++count;
  }
  EXPECT_EQ(count, 2U);
}

}  // namespace
}  // namespace stoker::config
