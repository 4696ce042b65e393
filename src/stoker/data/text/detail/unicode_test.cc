#include "stoker/data/text/detail/unicode.h"

#include <gtest/gtest.h>

#include "stoker/base/checksum.h"
#include "stoker/base/strings.h"
#include "stoker/data/text/detail/bert_words.h"
#include "stoker/data/text/detail/gpt2_pattern.h"
#include "stoker/data/text/detail/test_golden.h"

namespace stoker::data::detail {
namespace {
using Words = std::vector<std::string>;

Words bert_words(std::string_view text, bool lowercase) {
  WordBuffer buffer(100);
  Words words;
  BertWords(lowercase).split(
      text, buffer, [&](const WordBuffer& word) { words.emplace_back(word.text()); });
  return words;
}

Words gpt2_pieces(std::string_view text) {
  Words pieces;
  for (size_t at = 0; at < text.size();) {
    const size_t end = gpt2_piece_end(text, at);
    pieces.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return pieces;
}

/// What each of 4,096 characters does between two letters, in one number.
template <typename Split>
std::string digest_of_block(char32_t begin, const Split& split) {
  std::string all;
  for (char32_t code = begin; code < begin + 0x1000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string character;
    append_utf8(character, code);
    all += join(split(cat("a", character, "b 1", character)), "\n") + "\n\n";
  }
  return xxh128(all.data(), all.size()).substr(0, 16);
}

template <typename Split>
void expect_same_for_every_character(const char* name, const Split& split) {
  const auto golden = data::testing::golden_json("characters.json").at(name);
  ASSERT_EQ(golden.size(), 272u);
  for (size_t block = 0; block < golden.size(); ++block) {
    EXPECT_EQ(digest_of_block(static_cast<char32_t>(block * 0x1000), split),
              golden[block])
        << name << ", characters from " << block << " * 4096";
  }
}

TEST(Unicode, UncasedBertSeesEveryCharacterAsHuggingFaceDoes) {
  expect_same_for_every_character(
      "uncased", [](const auto& text) { return bert_words(text, true); });
}

TEST(Unicode, CasedBertSeesEveryCharacterAsHuggingFaceDoes) {
  expect_same_for_every_character(
      "cased", [](const auto& text) { return bert_words(text, false); });
}

TEST(Unicode, Gpt2SeesEveryCharacterAsHuggingFaceDoes) {
  expect_same_for_every_character("gpt2", gpt2_pieces);
}

TEST(Unicode, SplitsMixturesOfMarksAndSpacesAsHuggingFaceDoes) {
  for (const auto& row : data::testing::golden_json("words.json")) {
    const auto text = row.at("text").get<std::string>();
    EXPECT_EQ(bert_words(text, true), row.at("uncased").get<Words>()) << text;
    EXPECT_EQ(bert_words(text, false), row.at("cased").get<Words>()) << text;
    EXPECT_EQ(gpt2_pieces(text), row.at("gpt2").get<Words>()) << text;
  }
}

TEST(Unicode, EachByteHasACharacterOfItsOwn) {
  for (size_t byte = 0; byte < 256; ++byte) {
    const char* at = byte_characters()[byte].data();
    EXPECT_EQ(byte_of_character(next_character(at)), static_cast<int>(byte));
  }
  EXPECT_EQ(byte_characters()[' '], "Ġ");
  EXPECT_EQ(byte_characters()['\n'], "Ċ");
  EXPECT_EQ(byte_of_character(0x144), -1);
}

}  // namespace
}  // namespace stoker::data::detail
