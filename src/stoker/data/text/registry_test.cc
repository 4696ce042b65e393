#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stoker/base/testing.h"
#include "stoker/data/text/detail/test_golden.h"
#include "stoker/data/text/tokenizer.h"

namespace stoker::data {
namespace {
using testing::encode;
using testing::error_of;
using ::testing::HasSubstr;
using testing::Ids;

class OpenTokenizer : public ::testing::Test {
 protected:
  void write(const char* name, std::string_view content) {
    write_file_atomically(folder_.path() / name, content);
  }
  std::unique_ptr<Tokenizer> open() { return open_tokenizer(folder_.path()); }
  std::string error() {
    return error_of([&] { open(); });
  }
  stoker::testing::TemporaryFolder folder_;
};

TEST_F(OpenTokenizer, KnowsItsKindsByTheirFiles) {
  write("vocab.json", R"({"a": 0})");
  EXPECT_EQ(encode(*open(), "aa"), (Ids{0, 0}));
  write("vocab.json", R"({"a": 0, "aa": 1, "<|endoftext|>": 2})");
  write("merges.txt", "#version: 0.2\na a\n");
  EXPECT_EQ(encode(*open(), "aaa<|endoftext|>"), (Ids{1, 0, 2}));
  write("vocab.txt", "[UNK]\na\n");
  EXPECT_EQ(encode(*open(), "A b"), (Ids{1, 0}));
  EXPECT_EQ(encode(*open_tokenizer(folder_.path() / "vocab.txt"), "A b"), (Ids{1, 0}));
}

TEST_F(OpenTokenizer, FollowsTheConfiguration) {
  write("vocab.txt", "[UNK]\na\n");
  write("tokenizer_config.json",
        R"({"tokenizer_class": "BertTokenizerFast", "do_lower_case": false})");
  EXPECT_EQ(encode(*open(), "A a"), (Ids{0, 1}));
}

TEST_F(OpenTokenizer, SaysWhatIsWrong) {
  EXPECT_THAT(error(), HasSubstr("expected vocab.txt (WordPiece), vocab.json with"));
  write("tokenizer_config.json", R"({"tokenizer_class": "GPT2Tokeniser"})");
  EXPECT_THAT(error(), HasSubstr("did you mean 'GPT2Tokenizer'?"));
  write("tokenizer_config.json", R"({"tokenizer_class": 3})");
  EXPECT_THAT(error(), HasSubstr("tokenizer_class: "));
  write("tokenizer_config.json", "[");
  EXPECT_THAT(error(), HasSubstr("expected a JSON object, got no JSON"));
  write("tokenizer_config.json",
        R"({"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": true})");
  EXPECT_THAT(error(), HasSubstr("add_prefix_space: expected false, got true"));
  write("tokenizer_config.json", R"({"tokenizer_class": "BertTokenizer"})");
  EXPECT_THAT(error(), HasSubstr("vocab.txt"));
  EXPECT_THAT(error_of([&] { open_tokenizer(folder_.path() / "none"); }),
              HasSubstr("got no such file"));
}

TEST(ListTokenizers, NamesThem) {
  EXPECT_EQ(list_tokenizers(),
            (std::vector<std::string>{"wordpiece", "bpe", "characters"}));
}

}  // namespace
}  // namespace stoker::data
