#include "stoker/data/text/characters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stoker/base/testing.h"
#include "stoker/data/text/detail/test_golden.h"

namespace stoker::data {
namespace {
using testing::encode;
using testing::error_of;
using ::testing::HasSubstr;
using testing::Ids;

TEST(Characters, AreNumberedByCodePoint) {
  const auto tokenizer = make_characters(characters_of("bä\na€b"));
  EXPECT_EQ(encode(*tokenizer, "\nabä€"), (Ids{0, 1, 2, 3, 4}));
  EXPECT_EQ(*tokenizer->decode(Ids{4, 3, 0}, true), "€ä\n");
}

TEST(Characters, NameOneThatIsNotThere) {
  const auto tokenizer = make_characters(characters_of("ab"));
  EXPECT_EQ(testing::encode_failure(*tokenizer, "ab€"),
            "byte 2: expected a character of characters, got '€'");
  EXPECT_EQ(testing::encode_failure(*tokenizer, "ab\xE2\x82"),
            "byte 2: expected UTF-8, got e2");
}

TEST(Characters, GoToTheUnknownTokenIfThereIsOne) {
  const auto tokenizer = make_characters(characters_of("ab", "<unk>"), "<unk>");
  EXPECT_EQ(encode(*tokenizer, "a€b"), (Ids{1, 0, 2}));
  EXPECT_EQ(*tokenizer->decode(Ids{1, 0, 2}, true), "ab");
  EXPECT_EQ(*tokenizer->decode(Ids{1, 0, 2}, false), "a<unk>b");
}

TEST(Characters, RefuseLongerTokensAndEmptyTexts) {
  EXPECT_EQ(error_of([] {
              make_characters({{"a", "bc"}, "v.json"});
            }),
            "[text] v.json: token 1: expected one character, got 'bc'");
  EXPECT_THAT(error_of([] { characters_of(""); }),
              HasSubstr("expected tokens, got none"));
  EXPECT_THAT(error_of([] { characters_of("\xFF"); }),
              HasSubstr("byte 0: expected UTF-8"));
}

TEST(Characters, AreTheSameAfterSavingAndOpening) {
  const stoker::testing::TemporaryFolder folder;
  make_characters(characters_of("b\"ä\n", "<unk>"), "<unk>")->save(folder.path());
  EXPECT_EQ(encode(*open_tokenizer(folder.path()), "ä\"x\n"), (Ids{4, 2, 0, 1}));
}

}  // namespace
}  // namespace stoker::data
