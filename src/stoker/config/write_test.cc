#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/config/recipe.h"
#include "stoker/config/testing.h"
#include "stoker/config/toml.h"

namespace stoker::config {
namespace {

Recipe every_key() { return load_recipe(STOKER_SOURCE_DIR "/fuzz/seeds/every_key.toml"); }

/// Names of the values that `one` and `other` have in common, dotted; `from` is optional
/// and so on: what matters is that a value is the same, not that it is there.
void collect_equal(const Node& one, const Node& other, const std::string& path,
                   std::vector<std::string>& equal) {
  if (!one.is_table() || !other.is_table()) {
    if (one == other) equal.push_back(path);
    return;
  }
  for (const auto& [key, node] : one.table()) {
    const Node* theirs = other.find(key);
    if (theirs != nullptr) collect_equal(node, *theirs, cat(path, "/", key), equal);
  }
}

TEST(ToToml, ReadsBackWholeWithEveryKeyOffItsDefault) {
  const Recipe recipe = every_key();
  EXPECT_EQ(parse_recipe(to_toml(recipe), recipe.file), recipe);
}

TEST(ToToml, TheRecipeOfThatTestLeavesNoKeyAtItsDefault) {
  Recipe defaults;
  defaults.data.train = "t";
  std::vector<std::string> equal;
  collect_equal(parse_toml(to_toml(every_key()), "plan"),
                parse_toml(to_toml(defaults), ""), "", equal);
  // One precision there is, and a warm-up has steps or epochs.
  EXPECT_THAT(equal,
              ::testing::ElementsAre("/train/precision", "/schedule/warmup/epochs"));
}

TEST(ToToml, ReadsBackWholeWithTheDefaults) {
  const Recipe recipe =
      parse_recipe("data.train = 't'\nmodel.name = 'm'", "/folder/recipe.toml");
  EXPECT_EQ(parse_recipe(to_toml(recipe), recipe.file), recipe);
}

TEST(ToToml, KeepsEveryBitOfANumber) {
  Recipe recipe = every_key();
  for (const double value : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, 123456789.0}) {
    recipe.optimizer.lr = value;
    EXPECT_EQ(parse_recipe(to_toml(recipe), recipe.file).optimizer.lr, value);
  }
}

TEST(ToToml, RefusesASeedThatTomlCannotHold) {
  Recipe recipe = every_key();
  recipe.seed = uint64_t{1} << 63;
  EXPECT_THAT(message_of([&] { to_toml(recipe); }), ::testing::HasSubstr("seed"));
}

TEST(ToToml, WritesDefaultsAndAutoOut) {
  const std::string plan =
      to_toml(parse_recipe("data.train = '/t'\nmodel.name = 'm'", "r.toml"));
  for (const char* line :
       {"seed = 1\n", "workers = \"auto\"\n", "micro_batch = \"auto\"\n", "lr = 0.1\n",
        "eval_augment = \"auto\"\n", "classes = \"auto\"\n", "keep_last = 2\n",
        "warmup = { epochs = 0.0, steps = 0, from = \"auto\" }\n"}) {
    EXPECT_THAT(plan, ::testing::HasSubstr(line));
  }
}

}  // namespace
}  // namespace stoker::config
