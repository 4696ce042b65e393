#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/formats/detail/test_archives.h"
#include "stoker/data/formats/record_source.h"

namespace stoker::data {
namespace {
using ::testing::AllOf;
using ::testing::HasSubstr;

class RegistryTest : public ::testing::Test {
 protected:
  std::string refusal(const std::string& path) {
    try {
      open_source(path, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "opened";
  }
  std::string refusal_of(const std::string& bytes) {
    testing::write_bytes(folder_.path() / "data.tar", bytes);
    return refusal((folder_.path() / "data.tar").string());
  }
  stoker::testing::TemporaryFolder folder_;
};

TEST_F(RegistryTest, FindsTheFormatByContentWhateverTheName) {
  const auto path = folder_.path() / "archive.jpg";
  testing::write_bytes(path, testing::tar_of({{"a/1", "x"}}));
  EXPECT_EQ(open_source(path.string(), {})->describe().format, "tar");
  EXPECT_EQ(open_source(testing::cifar("test").string(), {})->describe().format,
            "folder");
  EXPECT_EQ(open_source(testing::cifar("test/").string(), {})->describe().format,
            "folder");
}

TEST_F(RegistryTest, SaysWhatAFileIsThatItCannotRead) {
  EXPECT_THAT(refusal_of("\x1f\x8b\x08rest"), HasSubstr("gzip-compressed"));
  EXPECT_THAT(refusal_of("\x28\xb5\x2f\xfdrest"), HasSubstr("zstd-compressed"));
  EXPECT_THAT(refusal_of("hello world"),
              HasSubstr("starts with 68 65 6c 6c 6f 20 77 6f"));
  EXPECT_THAT(refusal_of(""), HasSubstr("an empty file"));
  EXPECT_THAT(refusal_of(read_file(testing::cifar("test/cat/0017.jpg"))),
              HasSubstr("a JPEG image"));
}

TEST_F(RegistryTest, OffersTheNearestNameForAMissingPath) {
  EXPECT_THAT(refusal(testing::cifar("tset").string()),
              AllOf(HasSubstr("no such file"), HasSubstr("did you mean 'test'?")));
}

}  // namespace
}  // namespace stoker::data
