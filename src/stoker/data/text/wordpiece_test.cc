#include "stoker/data/text/wordpiece.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stoker/base/strings.h"
#include "stoker/base/testing.h"
#include "stoker/data/text/detail/test_golden.h"
#include "stoker/data/text/framing.h"

namespace stoker::data {
namespace {
using testing::encode;
using testing::error_of;
using testing::golden_json;
using testing::golden_path;
using testing::Ids;

std::unique_ptr<Tokenizer> of(std::vector<std::string> tokens,
                              const WordPieceOptions& options = {}) {
  return make_wordpiece({std::move(tokens), "v.txt"}, options);
}

TEST(WordPiece, GivesHuggingFacesIds) {
  const auto uncased = load_wordpiece(golden_path("vocab.txt"));
  const auto cased = load_wordpiece(golden_path("vocab.txt"), {.lowercase = false});
  for (const auto& row : golden_json("texts.json")) {
    const auto text = row.at("text").get<std::string>();
    EXPECT_EQ(encode(*uncased, text), row.at("uncased").get<Ids>()) << text;
    EXPECT_EQ(encode(*cased, text), row.at("cased").get<Ids>()) << text;
  }
}

TEST(WordPiece, DecodesAsHuggingFaceDoes) {
  const auto tokenizer = load_wordpiece(golden_path("vocab.txt"));
  for (const auto& row : golden_json("texts.json")) {
    if (!row.contains("uncased_text")) continue;
    EXPECT_EQ(*tokenizer->decode(row.at("uncased").get<Ids>(), true),
              row.at("uncased_text").get<std::string>());
  }
}

// Wu et al. 2016 and BERT's own test: "unwanted running", "unwantedX".
TEST(WordPiece, TakesTheLongestTokenAndGivesUpOnWholeWords) {
  const auto tokenizer = of(
      {"[UNK]", "[CLS]", "[SEP]", "want", "##want", "##ed", "wa", "un", "runn", "##ing"});
  EXPECT_EQ(encode(*tokenizer, "unwanted running"), (Ids{7, 4, 5, 8, 9}));
  EXPECT_EQ(encode(*tokenizer, "unwantedX running"), (Ids{0, 8, 9}));
}

TEST(WordPiece, KnowsNoInsideOfWordsWithoutSuchTokens) {
  EXPECT_EQ(encode(*of({"[UNK]", "a", "b"}), "a ab b"), (Ids{1, 0, 2}));
}

TEST(WordPiece, TreatsSpecialTokensAsTextWhenAsked) {
  const std::vector<std::string> tokens = {"[UNK]", "[SEP]", "[", "]", "sep"};
  EXPECT_EQ(encode(*of(tokens), "[SEP]"), (Ids{1}));
  EXPECT_EQ(encode(*of(tokens, {.special_in_text = false}), "[SEP]"), (Ids{2, 4, 3}));
}

TEST(WordPiece, CountsCharactersOfAWordNotBytes) {
  const auto tokenizer =
      of({"[UNK]", "é", "##é"}, {.lowercase = false, .max_word_characters = 3});
  EXPECT_EQ(encode(*tokenizer, "ééé"), (Ids{1, 2, 2}));
  EXPECT_EQ(encode(*tokenizer, "éééé é"), (Ids{0, 1}));
}

TEST(WordPiece, NamesTheByteThatIsNoUtf8) {
  EXPECT_EQ(testing::encode_failure(*of({"[UNK]", "a"}), "a a\xC3"),
            "byte 3: expected UTF-8, got c3");
}

TEST(WordPiece, RefusesAVocabularyWithoutUnk) {
  EXPECT_EQ(error_of([] {
              of({"a", "b"});
            }),
            "[text] v.txt: expected the token '[UNK]', got none");
  EXPECT_THAT(error_of([] { of({"[UNK]"}, {.max_word_characters = 0}); }),
              ::testing::HasSubstr("expected at least 1, got 0"));
}

TEST(WordPiece, DecodingNamesAnIdBeyondTheVocabulary) {
  EXPECT_EQ(of({"[UNK]", "a"})->decode(Ids{1, 2}, true).reason(),
            "position 1: expected an id of the vocabulary of 2, got 2");
}

TEST(WordPiece, IsTheSameAfterSavingAndOpening) {
  const stoker::testing::TemporaryFolder folder;
  load_wordpiece(golden_path("vocab.txt"), {.lowercase = false})->save(folder.path());
  const auto opened = open_tokenizer(folder.path());
  EXPECT_EQ(read_file(folder.path() / "vocab.txt"), read_file(golden_path("vocab.txt")));
  for (const auto& row : golden_json("texts.json"))
    EXPECT_EQ(encode(*opened, row.at("text").get<std::string>()),
              row.at("cased").get<Ids>());
}

TEST(Framing, CutsPairsAsHuggingFaceDoes) {
  const auto tokenizer = load_wordpiece(golden_path("vocab.txt"));
  const FrameTokens tokens = frame_tokens(tokenizer->vocabulary());
  for (const auto& row : golden_json("pairs.json")) {
    const Ids first(row.at("first").get<size_t>(), tokenizer->vocabulary().at("a"));
    const Ids second(row.at("second").get<size_t>(), tokenizer->vocabulary().at("b"));
    const auto length = row.at("length").get<int64_t>();
    const FramedText framed = second.empty() ? frame(first, tokens, length)
                                             : frame_pair(first, second, tokens, length);
    EXPECT_EQ(framed.ids, row.at("ids").get<Ids>()) << row;
    EXPECT_EQ(framed.types, row.at("types").get<Ids>()) << row;
  }
  EXPECT_EQ(error_of([&] { frame({}, tokens, 1); }),
            "[text] max_length: expected at least 2, got 1");
}

}  // namespace
}  // namespace stoker::data
