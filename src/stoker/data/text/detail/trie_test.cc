#include "stoker/data/text/detail/trie.h"

#include <gtest/gtest.h>

#include "stoker/base/strings.h"

namespace stoker::data::detail {
namespace {

TEST(Trie, FindsEachOfManyKeysAndNoOther) {
  std::vector<std::string> keys;
  for (int i = 0; i < 20'000; ++i) keys.push_back(cat("k", i * 7919 % 65'537));
  for (int byte = 1; byte < 256; ++byte)
    keys.push_back({static_cast<char>(byte), '\xFF'});
  std::vector<Trie::Entry> entries;
  for (const std::string& key : keys)
    entries.push_back({key, static_cast<int32_t>(entries.size())});
  const Trie trie(entries);
  for (size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(trie.find(keys[i]), static_cast<int32_t>(i));
    ASSERT_EQ(trie.find(keys[i] + "x"), Trie::kNoValue);
  }
  EXPECT_EQ(trie.find(""), Trie::kNoValue);
  EXPECT_EQ(trie.find("k"), Trie::kNoValue);
  EXPECT_EQ(trie.find(std::string(1, '\0')), Trie::kNoValue);
}

TEST(Trie, IsEmptyWithoutKeys) { EXPECT_EQ(Trie({}).find("a"), Trie::kNoValue); }

}  // namespace
}  // namespace stoker::data::detail
