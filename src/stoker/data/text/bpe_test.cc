#include "stoker/data/text/bpe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stoker/base/testing.h"
#include "stoker/data/text/bpe_train.h"
#include "stoker/data/text/detail/merges.h"
#include "stoker/data/text/detail/test_golden.h"

namespace stoker::data {
namespace {
using testing::encode;
using testing::error_of;
using testing::golden_json;
using testing::golden_path;
using ::testing::HasSubstr;
using testing::Ids;

constexpr const char* kEnd = "<|endoftext|>";

std::unique_ptr<Tokenizer> golden() {
  return load_bpe(golden_path("vocab.json"), golden_path("merges.txt"), {{kEnd}});
}

TEST(BytePairs, GiveHuggingFacesIds) {
  const auto tokenizer = golden();
  for (const auto& row : golden_json("texts.json")) {
    const auto text = row.at("text").get<std::string>();
    EXPECT_EQ(encode(*tokenizer, text), row.at("bpe").get<Ids>()) << text;
  }
}

TEST(BytePairs, GiveTheTextBack) {
  const auto tokenizer = golden();
  for (const auto& row : golden_json("texts.json")) {
    const auto text = row.at("text").get<std::string>();
    EXPECT_EQ(*tokenizer->decode(encode(*tokenizer, text), false), text);
  }
}

TEST(BytePairs, DecodeCutCharactersAndSpecialTokensAsHuggingFaceDoes) {
  const auto tokenizer = golden();
  for (const auto& row : golden_json("texts.json")) {
    if (!row.contains("bpe_cut")) continue;
    Ids ids = row.at("bpe").get<Ids>();
    EXPECT_EQ(*tokenizer->decode(ids, true), row.at("bpe_text").get<std::string>());
    if (ids.size() < 2) continue;
    ids = Ids(ids.begin() + 1, ids.end() - 1);
    EXPECT_EQ(*tokenizer->decode(ids, false), row.at("bpe_cut").get<std::string>());
  }
}

// Sennrich et al. 2016, figure 2: low, lowest, newer, wider; "r </w>", "e r", "l o", "lo
// w".
TEST(BytePairs, MergeTheEarliestOfTheListFirst) {
  const auto tokenizer = make_bpe({{"l", "o", "w", "e", "r", "er", "lo", "low"}, "v"},
                                  {{"e", "r"}, {"l", "o"}, {"lo", "w"}});
  EXPECT_EQ(encode(*tokenizer, "lower"), (Ids{7, 5}));
}

TEST(BytePairs, TakeATokenOnlyIfMergesMakeIt) {
  // "abc" is in the vocabulary, but b and c join first.
  const auto tokenizer = make_bpe({{"a", "b", "c", "bc", "ab", "abc"}, "v"},
                                  {{"b", "c"}, {"a", "b"}, {"ab", "c"}});
  EXPECT_EQ(encode(*tokenizer, "abc"), (Ids{0, 3}));
}

TEST(BytePairs, RefuseMergesOfUnknownTokens) {
  const auto error = [](std::vector<TokenPair> merges) {
    return error_of([&] {
      make_bpe({{"a", "b", "ab"}, "v.json"}, std::move(merges), {}, "merges.txt");
    });
  };
  EXPECT_EQ(error({{"a", "b"}, {"a", "c"}}),
            "[text] merges.txt: merge 2 ('a c'): expected tokens of v.json, got 'ac'");
  EXPECT_THAT(error({{"b", "a"}}), HasSubstr("got 'ba'"));
  EXPECT_THAT(error({{"a", "b"}, {"a", "b"}}),
              HasSubstr("merge 2: expected each pair once, got 'a b' again"));
}

TEST(BytePairs, RefuseLinesThatAreNoPair) {
  for (const char* line : {"a", "a b c", " a", "a ", "", "a  b"}) {
    EXPECT_THAT(error_of([&] {
                  parse_merges(std::string("#version: 0.2\na b\n") + line + "\n", "m");
                }),
                HasSubstr("[text] m:3: expected two tokens with a space between"))
        << line;
  }
  EXPECT_EQ(parse_merges("# b\r\n#version c", "m"),
            (std::vector<TokenPair>{{"#", "b"}, {"#version", "c"}}));
}

TEST(BytePairs, NameAByteWithoutAToken) {
  const auto tokenizer = make_bpe({{"a", "b"}, "v.json"}, {});
  EXPECT_EQ(testing::encode_failure(*tokenizer, "ab\n"),
            "byte 2: expected a byte of v.json, got 10, which has no token 'Ċ'");
  EXPECT_EQ(testing::encode_failure(*tokenizer, "a\xFF"),
            "byte 1: expected UTF-8, got ff");
}

TEST(BytePairs, AreTheSameAfterSavingAndOpening) {
  const stoker::testing::TemporaryFolder folder;
  golden()->save(folder.path());
  EXPECT_EQ(read_file(folder.path() / "merges.txt"),
            read_file(golden_path("merges.txt")));
  const auto opened = open_tokenizer(folder.path());
  for (const auto& row : golden_json("texts.json"))
    EXPECT_EQ(encode(*opened, row.at("text").get<std::string>()),
              row.at("bpe").get<Ids>());
}

TEST(Merges, TheHeapMergesLikeTheScan) {
  // 0 0 -> 1, 1 1 -> 2, 0 1 -> 3: the same text as one long piece and as many short ones.
  detail::MergeTable table(3);
  table.insert(0, 0, {0, 1});
  table.insert(1, 1, {1, 2});
  table.insert(0, 1, {2, 3});
  detail::MergeScratch scratch;
  for (size_t n = 2; n < 200; ++n) {
    Ids ids(n, 0);
    detail::merge_all(table, ids, scratch);
    // Pairs from the left, then pairs of pairs; a rest of one pair and one single.
    Ids expected(n / 4, 2);
    if (n % 4 >= 2) expected.push_back(1);
    if (n % 2 == 1) expected.push_back(0);
    EXPECT_EQ(ids, expected) << n;
  }
}

TEST(BpeTrainer, LearnsHuggingFacesMerges) {
  BpeTrainer trainer({.vocabulary_size = 700, .special = {kEnd}});
  const auto rows = golden_json("texts.json");
  for (const auto& row : rows) {
    if (!row.contains("review")) continue;
    ASSERT_TRUE(trainer.add(row.at("text").get<std::string>()).ok());
  }
  const stoker::testing::TemporaryFolder folder;
  trainer.train()->save(folder.path());
  EXPECT_EQ(read_file(folder.path() / "merges.txt"),
            read_file(golden_path("merges.txt")));
  EXPECT_EQ(read_vocabulary_json(folder.path() / "vocab.json").tokens(),
            read_vocabulary_json(golden_path("vocab.json")).tokens());
}

TEST(BpeTrainer, StopsWhenPairsAreTooRare) {
  BpeTrainer trainer({.vocabulary_size = 1000, .min_frequency = 3});
  ASSERT_TRUE(trainer.add("abab cd ab cd").ok());
  // "ab" is there 3 times; "Ġc", "cd" and all others less often.
  EXPECT_EQ(trainer.train()->vocabulary().size(), 257);
}

TEST(BpeTrainer, GivesTiesToTheLowerIds) {
  BpeTrainer trainer({.vocabulary_size = 257, .min_frequency = 1});
  ASSERT_TRUE(trainer.add("zy").ok());
  ASSERT_TRUE(trainer.add("bx").ok());
  EXPECT_TRUE(trainer.train()->vocabulary().find("bx").has_value());
}

TEST(BpeTrainer, RefusesTooSmallAVocabularyAndOtherBytes) {
  EXPECT_THAT(error_of([] { BpeTrainer({.vocabulary_size = 256, .special = {kEnd}}); }),
              HasSubstr("expected at least 257"));
  BpeTrainer trainer({.vocabulary_size = 300});
  EXPECT_EQ(trainer.add("a\xC0").reason(), "byte 1: expected UTF-8, got c0");
}

}  // namespace
}  // namespace stoker::data
