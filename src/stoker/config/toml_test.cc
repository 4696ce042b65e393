#include "stoker/config/toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stoker/config/testing.h"

namespace stoker::config {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string refusal(const std::string& text) {
  return message_of([&] { parse_toml(text, "r.toml"); });
}

TEST(Toml, KeepsTheOrderOfWritingAndTheLineOfEachValue) {
  const Node root = parse_toml(
      "zeta = 1\n[table]\nb = true\na = [\n  1.5,\n  'x',\n]\n[alpha]\n", "r.toml");
  ASSERT_EQ(root.table().size(), 3U);
  EXPECT_EQ(root.table()[0].first, "zeta");
  EXPECT_EQ(root.table()[1].first, "table");
  EXPECT_EQ(root.table()[2].first, "alpha");
  const Node* table = root.find("table");
  EXPECT_EQ(table->where().text(), "r.toml:2");
  EXPECT_EQ(table->table()[0].first, "b");
  EXPECT_EQ(table->find("a")->array()[1].where().text(), "r.toml:6");
  EXPECT_EQ(table->find("a")->array()[1].string(), "x");
}

TEST(Toml, SaysWhereASyntaxErrorIsAndWhy) {
  EXPECT_THAT(refusal("a = 1\nb = [1, 2\nc = 3\n"), StartsWith("[recipe] r.toml:3: "));
  EXPECT_THAT(refusal("a = 1\na = 2\n"), StartsWith("[recipe] r.toml:2: "));
  EXPECT_THAT(refusal("x = \"\xFF\"\n"), StartsWith("[recipe] r.toml:1: "));
  EXPECT_THAT(refusal("a = 1\nb = \n"), HasSubstr("value"));
}

// Found by fuzzing: an assertion of toml++ where that is built with assertions.
TEST(Toml, RefusesACommentInATableName) {
  EXPECT_THAT(refusal("a = 1\n[# b\nc]\n"), StartsWith("[recipe] r.toml:"));
}

TEST(Toml, RefusesADateWithItsLine) {
  EXPECT_THAT(refusal("\nwhen = 2026-01-02\n"),
              StartsWith("[recipe] r.toml:2: expected"));
}

TEST(Toml, RefusesWhatWouldOverflowTheStack) {
  std::string dotted = "a";
  for (int i = 0; i < 200'000; ++i) dotted += ".a";
  EXPECT_THAT(refusal(dotted + " = 1"), HasSubstr("r.toml:1: expected at most 4096"));
  EXPECT_THAT(refusal(dotted.substr(0, 2001) + " = 1"), HasSubstr("at most 64 levels"));
  EXPECT_THAT(refusal("a = " + std::string(100'000, '[')),
              StartsWith("[recipe] r.toml:1"));
}

// Expected texts: the TOML 1.0 specification, "String", "Float", "Keys".
TEST(Node, WritesValuesAsTomlDoes) {
  EXPECT_EQ(Node(std::string("a\"\\\n\t\r\x01\x7F é"), {}).toml(),
            R"("a\"\\\n\t\r\u0001\u007F é")");
  EXPECT_EQ(Node(2.0, {}).toml(), "2.0");
  EXPECT_EQ(Node(1e22, {}).toml(), "1e+22");
  EXPECT_EQ(Node(0.1, {}).toml(), "0.1");
  EXPECT_EQ(Node(int64_t{-3}, {}).toml(), "-3");
  EXPECT_EQ(
      Node(Node::Table{{"a key", Node(true, {})}, {"b", Node(Node::Array{}, {})}}, {})
          .toml(),
      R"({ "a key" = true, b = [] })");
}

TEST(Node, IsEqualWhateverThePlaceAndTheOrderOfKeys) {
  const Node one = parse_toml("a = 1\nb = { x = [1, 2.0], y = 'z' }", "one");
  EXPECT_EQ(one, parse_toml("\n\nb.y = 'z'\nb.x = [1, 2.0]\na = 1", "other"));
  EXPECT_NE(one, parse_toml("a = 1\nb = { x = [1, 2], y = 'z' }", "one"));
  EXPECT_NE(one, parse_toml("a = 1\nb = { x = [1, 2.0] }", "one"));
}

}  // namespace
}  // namespace stoker::config
