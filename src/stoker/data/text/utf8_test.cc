#include "stoker/data/text/utf8.h"

#include <gtest/gtest.h>

namespace stoker::data {
namespace {

// Unicode 15, table 3-8: U+FFFD for maximal subparts.
TEST(Utf8, RepairsMaximalPartsLikeTheStandardsExample) {
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(repair_utf8("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64"),
            "a" + replacement + replacement + replacement + "b" + replacement + "c" +
                replacement + replacement + "d");
}

TEST(Utf8, FindsOverlongFormsSurrogatesAndTooLargeOnes) {
  for (const char* wrong :
       {"\xC0\x80", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xFF", "\x80", "\xE4\xB8", "\xF5\x80"}) {
    const std::string text = std::string("twelve bytes") + wrong;
    EXPECT_EQ(invalid_utf8_at(text), 12u) << wrong;
  }
  EXPECT_EQ(check_utf8("ab\xFF").reason(), "byte 2: expected UTF-8, got ff");
}

TEST(Utf8, WritesAndReadsEveryCharacter) {
  for (char32_t character = 0; character < 0x110000; ++character) {
    if (character >= 0xD800 && character < 0xE000) continue;
    std::string text;
    append_utf8(text, character);
    ASSERT_EQ(invalid_utf8_at(text), std::nullopt) << static_cast<uint32_t>(character);
    const char* at = text.data();
    ASSERT_EQ(next_character(at), character);
    ASSERT_EQ(at, text.data() + text.size());
  }
}

}  // namespace
}  // namespace stoker::data
