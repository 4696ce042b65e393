#include "stoker/data/text/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stoker/base/testing.h"
#include "stoker/data/text/detail/test_golden.h"

namespace stoker::data {
namespace {
using testing::error_of;
using ::testing::HasSubstr;

std::string json_error(std::string_view json) {
  return error_of([&] { parse_vocabulary_json(json, "v.json"); });
}

TEST(Vocabulary, RefusesNothingEmptyTokensDoublesAndOtherBytes) {
  EXPECT_EQ(error_of([] { Vocabulary({}, "v.txt"); }),
            "[text] v.txt: expected tokens, got none");
  EXPECT_EQ(error_of([] {
              Vocabulary({"a", "", "b"}, "v.txt");
            }),
            "[text] v.txt: expected a token for id 1, got none");
  EXPECT_EQ(error_of([] {
              Vocabulary({"a", "b", "a"}, "v.txt");
            }),
            "[text] v.txt: expected each token once, got 'a' for the ids 0 and 2");
  EXPECT_EQ(error_of([] {
              Vocabulary({"a", "\xFF"}, "v.txt");
            }),
            "[text] v.txt: expected UTF-8, got other bytes in the token of id 1");
}

TEST(Vocabulary, ReadsLinesWithAnyLineEndAndWritesThemAgain) {
  const stoker::testing::TemporaryFolder folder;
  const auto path = folder.path() / "vocab.txt";
  write_file_atomically(path, "[UNK]\r\nthe\r\n##s");
  const Vocabulary read = read_vocabulary_lines(path);
  EXPECT_EQ(read.tokens(), (std::vector<std::string>{"[UNK]", "the", "##s"}));
  EXPECT_EQ(read.find("##s"), 2);
  EXPECT_EQ(read.find("s"), std::nullopt);
  write_vocabulary_lines(read, path);
  EXPECT_EQ(read_file(path), "[UNK]\nthe\n##s\n");
}

TEST(Vocabulary, KeepsItsTokensWhenMoved) {
  Vocabulary first({"a", "b"}, "v");
  const Vocabulary second = std::move(first);
  EXPECT_EQ(second.find("b"), 1);
}

TEST(Vocabulary, ReadsJsonInAnyOrderAndWritesItById) {
  const Vocabulary read = parse_vocabulary_json(R"({"b": 1, "\u0120a": 0})", "v.json");
  EXPECT_EQ(read.tokens(), (std::vector<std::string>{"Ġa", "b"}));
  const stoker::testing::TemporaryFolder folder;
  write_vocabulary_json(read, folder.path() / "v.json");
  EXPECT_EQ(read_file(folder.path() / "v.json"), "{\"Ġa\": 0,\n \"b\": 1}\n");
}

TEST(Vocabulary, RefusesWrongJsonAndSaysWhy) {
  EXPECT_THAT(json_error("{\"a\": 0"), HasSubstr("[text] v.json: expected JSON, got: "));
  EXPECT_THAT(json_error("[1]"),
              HasSubstr("expected one object from token to id, got array"));
  EXPECT_THAT(json_error("{}"), HasSubstr("expected tokens, got none"));
  EXPECT_THAT(json_error(R"({"a": 0, "a": 1})"), HasSubstr("got 'a' again"));
  EXPECT_THAT(json_error(R"({"a": 0, "b": 0})"), HasSubstr("each id once, got 0"));
  for (const char* id : {"2", "-1", "0.5", "\"0\"", "null", "99999999999999999999"}) {
    EXPECT_THAT(json_error(std::string(R"({"a": 0, "b": )") + id + "}"),
                HasSubstr("token 'b': expected an id in 0 .. 1"))
        << id;
  }
}

TEST(Vocabulary, SuggestsTheNearestForATokenThatMustBeThere) {
  const Vocabulary vocabulary({"[unk]", "a"}, "v.txt");
  EXPECT_EQ(error_of([&] { vocabulary.at("[UNK]"); }),
            "[text] v.txt: expected the token '[UNK]', got none; the nearest is '[unk]'");
}

// cases.md, Text.
TEST(CheckIds, NamesPositionIdAndVocabulary) {
  const std::vector<int32_t> ids = {5, 100, 3};
  EXPECT_EQ(check_ids(ids, 100).reason(),
            "position 1: expected an id of the vocabulary of 100, got 100");
  EXPECT_TRUE(check_ids(ids, 101).ok());
  EXPECT_FALSE(check_ids(std::vector<int32_t>{-1}, 100).ok());
}

}  // namespace
}  // namespace stoker::data
