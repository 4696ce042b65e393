#include "stoker/data/formats/tar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/formats/detail/members.h"
#include "stoker/data/formats/detail/test_archives.h"

namespace stoker::data {
namespace {
using stoker::testing::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::tar_header;
using testing::tar_member;
using testing::tar_of;
using testing::write_bytes;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string content(const RecordSource& source, int64_t index) {
  RecordBuffer buffer;
  const auto record = source.read(index, buffer);
  return {reinterpret_cast<const char*>(record->bytes.data()), record->bytes.size()};
}

int64_t label(const RecordSource& source, int64_t index) {
  RecordBuffer buffer;
  return source.read(index, buffer)->label;
}

OpenOptions with_classes(std::vector<std::string> classes) {
  OpenOptions options;
  options.classes = std::move(classes);
  return options;
}

class TarTest : public ::testing::Test {
 protected:
  std::string file(const std::string& bytes, const std::string& name = "s.tar") {
    write_bytes(folder_.path() / name, bytes);
    return (folder_.path() / name).string();
  }
  std::unique_ptr<RecordSource> open(const std::string& bytes,
                                     const std::string& inside = "") {
    return open_tar(file(bytes) + inside, {});
  }
  std::string error(const std::string& bytes, const std::string& inside = "") {
    return message_of([&] { open(bytes, inside); });
  }
  TemporaryFolder folder_;
};

TEST_F(TarTest, ReadsTheFilesOfRealClassFoldersAsTheFolderHoldsThem) {
  const std::string path = (folder_.path() / "cifar.tar").string();
  const std::string root = testing::cifar("").parent_path().string();
  if (!testing::run_tar(cat("-cf ", path, " -C ", root, " test")))
    GTEST_SKIP() << "needs the tar program";
  const auto source = open_tar(path, {});
  EXPECT_THAT(source->describe().classes,
              ElementsAre("airplane", "automobile", "bird", "cat", "deer", "dog", "frog",
                          "horse", "ship", "truck"));
  const int64_t n = source->describe().num_records;
  ASSERT_GT(n, 100);
  std::vector<std::thread> readers;
  std::atomic<int64_t> equal = 0;
  for (int64_t reader = 0; reader < 4; ++reader) {
    readers.emplace_back([&, reader] {
      for (int64_t i = reader; i < n; i += 4) {
        const std::string name = source->name(i);
        const std::string inside = name.substr(name.find("::") + 2);
        if (content(*source, i) == read_file(root + "/" + inside)) ++equal;
      }
    });
  }
  for (auto& reader : readers) reader.join();
  EXPECT_EQ(equal, n);
}

TEST_F(TarTest, ReadsLongNamesAsGnuPaxAndUstarWriteThem) {
  const std::string deep = "cat/" + std::string(80, 'd') + "/" + std::string(90, 'f');
  write_bytes(folder_.path() / "in" / deep, "miau");
  write_bytes(folder_.path() / "in/dog/b", "wuff");
  for (const std::string format : {"gnu", "pax", "ustar"}) {
    const std::string path = (folder_.path() / (format + ".tar")).string();
    if (!testing::run_tar(cat("--format=", format, " -cf ", path, " -C ",
                              (folder_.path() / "in").string(), " .")))
      GTEST_SKIP() << "needs GNU tar";
    const auto source = open_tar(path, {});
    ASSERT_EQ(source->describe().num_records, 2) << format;
    EXPECT_EQ(source->name(0), cat(path, "::", deep));
    EXPECT_EQ(content(*source, 0), "miau");
    EXPECT_EQ(content(*source, 1), "wuff");
  }
}

TEST_F(TarTest, ReadsSizesInBase256AndInPaxHeaders) {
  std::string header = tar_header("a/1", 0);
  header.replace(124, 12, std::string("\x80\0\0\0\0\0\0\0\0\0\0\x05", 12));
  header.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  char octal[8];
  std::snprintf(octal, sizeof octal, "%06o", sum);
  header.replace(148, 7, std::string(octal, 7));
  std::string bytes = header + "hello" + std::string(507, '\0');
  bytes += tar_member("PaxHeaders/2", "9 size=3\n12 path=b/2\n", 'x');
  bytes += tar_header("ignored", 0) + "abc" + std::string(509, '\0');
  const auto source = open(bytes + std::string(1024, '\0'));
  ASSERT_EQ(source->describe().num_records, 2);
  EXPECT_EQ(content(*source, 0), "hello");
  EXPECT_EQ(content(*source, 1), "abc");
  EXPECT_THAT(source->name(1), HasSubstr("::b/2"));
}

TEST_F(TarTest, NamesMemberAndByteWhereAnArchiveIsCutShort) {
  const std::string whole = tar_of({{"a/1", std::string(600, 'x')}, {"a/2", "yy"}});
  EXPECT_THAT(error(whole.substr(0, 700)),
              AllOf(HasSubstr("s.tar::a/1 at byte 0"),
                    HasSubstr("expected 600 bytes of content, got 188 bytes")));
  EXPECT_THAT(error(whole.substr(0, 1700)),
              AllOf(HasSubstr("after member a/1"), HasSubstr("at byte 1536")));
}

TEST_F(TarTest, SurvivesOrRefusesEveryLengthOfATruncatedArchive) {
  const std::string whole = tar_of({{"a/1", std::string(600, 'x')}, {"b/2", "yy"}});
  for (size_t size = 0; size < whole.size(); size += 37) {
    try {
      const auto source = open(whole.substr(0, size));
      for (int64_t i = 0; i < source->describe().num_records; ++i) content(*source, i);
    } catch (const Error& problem) {
      EXPECT_EQ(problem.code(), ErrorCode::kData) << size;
    }
  }
}

TEST_F(TarTest, SurvivesOrRefusesEveryFlippedByteOfAHeader) {
  const std::string whole = tar_of({{"a/1", std::string(600, 'x')}, {"b/2", "yy"}});
  for (size_t at = 0; at < 512; ++at) {
    if (at == 155) continue;  // Behind the end of the checksum: says nothing.
    std::string flipped = whole;
    flipped[at] = static_cast<char>(~flipped[at]);
    EXPECT_THAT(error(flipped), HasSubstr("s.tar")) << at;
  }
}

TEST_F(TarTest, ReadsThe60000FilesOfCifar10) {
  const auto path =
      std::filesystem::path(STOKER_SOURCE_DIR) / "../shared/data/cifar10-jpeg.tar";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "CIFAR-10 as a tar is not there";
  const auto train = open_tar(path.string() + "::train", {});
  EXPECT_EQ(train->describe().num_records, 50'000);
  EXPECT_THAT(train->describe().class_counts, ::testing::Each(5'000));
  const auto test = open_tar(path.string() + "::test", {});
  EXPECT_EQ(test->describe().num_records, 10'000);
  EXPECT_EQ(test->describe().classes, train->describe().classes);
}

TEST_F(TarTest, SaysWhenTheEndMarkIsMissing) {
  EXPECT_THAT(open(tar_member("a/1", "x"))->describe().notes,
              ElementsAre(HasSubstr("no end mark at byte 1024")));
}

TEST_F(TarTest, RefusesAHeaderWithAWrongChecksum) {
  std::string bytes = tar_of({{"a/1", "x"}, {"a/2", "y"}});
  bytes[1024] = 'q';
  EXPECT_THAT(error(bytes), AllOf(HasSubstr("after member a/1 at byte 1024"),
                                  HasSubstr("wrong checksum")));
}

TEST_F(TarTest, FindsClassFoldersBelowACommonPrefixBesideOtherFiles) {
  const auto source = open(tar_of({{"./set/v1/README", "r"},
                                   {"./set/v1/dog/1.jpg", "d"},
                                   {"./set/v1/cat/more/1.jpg", "c"},
                                   {"./set/v1/cat/2.jpg", "c2"}}));
  EXPECT_THAT(source->describe().classes, ElementsAre("cat", "dog"));
  EXPECT_THAT(source->describe().class_counts, ElementsAre(2, 1));
  EXPECT_THAT(source->describe().notes, ElementsAre(HasSubstr("1 files outside")));
}

TEST_F(TarTest, OffersThePartsOfADataSetAndTakesTheChosenOne) {
  const std::string bytes = tar_of({{"set/train/cat/1.jpg", "c"},
                                    {"set/train/dog/1.jpg", "d"},
                                    {"set/test/cat/2.jpg", "c2"}});
  EXPECT_THAT(error(bytes),
              AllOf(HasSubstr("s.tar::set/test\""), HasSubstr("s.tar::set/train\"")));
  EXPECT_THAT(open(bytes, "::train")->describe().class_counts, ElementsAre(1, 1));
  EXPECT_THAT(open(bytes, "::set/train")->describe().class_counts, ElementsAre(1, 1));
  EXPECT_THAT(error(bytes, "::trian"), HasSubstr("did you mean 'train'?"));
}

TEST_F(TarTest, GivesTheLabelsOfTheTrainingData) {
  const std::string path = file(tar_of({{"v/dog/1.jpg", "d"}, {"v/ant/1.jpg", "a"}}));
  const auto source = open_tar(path, with_classes({"ant", "cat", "dog"}));
  EXPECT_THAT(source->describe().class_counts, ElementsAre(1, 0, 1));
  EXPECT_EQ(label(*source, 1), 2);
  EXPECT_THAT(message_of([&] {
                open_tar(path, with_classes({"aunt", "dog"}));
              }),
              HasSubstr("got class 'ant', did you mean 'aunt'?"));
}

TEST_F(TarTest, PairsImagesAndLabelsThatAreNotGrouped) {
  const auto source = open(
      tar_of({{"0.jpg", "zero"}, {"1.jpg", "one"}, {"0.cls", "7"}, {"1.cls", "3\n"}}));
  ASSERT_EQ(source->describe().num_records, 2);
  EXPECT_EQ(content(*source, 0), "zero");
  EXPECT_EQ(label(*source, 0), 7);
  EXPECT_EQ(content(*source, 1), "one");
  EXPECT_EQ(label(*source, 1), 3);
  EXPECT_EQ(source->describe().classes.size(), 8U);
}

TEST_F(TarTest, NamesShardMemberAndFieldsWhereAPairIsNotWhole) {
  EXPECT_THAT(error(tar_of({{"0.jpg", "z"}, {"0.cls", "1"}, {"1.jpg", "o"}})),
              AllOf(HasSubstr("s.tar::1.jpg"), HasSubstr("the fields jpg of key '1'")));
  EXPECT_THAT(error(tar_of({{"0.json", "{}"}, {"0.cls", "1"}})),
              AllOf(HasSubstr("s.tar::0.json"), HasSubstr("the fields json, cls")));
  EXPECT_THAT(error(tar_of({{"22.05.png", "z"}, {"22.cls", "1"}})),
              AllOf(HasSubstr("s.tar::22.05.png"), HasSubstr("05.png, cls")));
  EXPECT_THAT(error(tar_of({{"0.jpg", "a"}, {"0.cls", "1"}, {"0.jpg", "b"}})),
              HasSubstr("the fields jpg, cls, jpg"));
  EXPECT_THAT(error(tar_of({{"0.jpg", "a"}, {"0.cls", "cat"}})),
              AllOf(HasSubstr("s.tar::0.cls"), HasSubstr("got 'cat'")));
}

// Right values: webdataset.tariterators.base_plus_ext.
TEST_F(TarTest, SplitsKeysAsTheWebDatasetLibraryDoes) {
  const auto split = [](std::string_view name) {
    const auto [key, field] = detail::split_key(name);
    return std::pair<std::string, std::string>(key, field);
  };
  using Pair = std::pair<std::string, std::string>;
  EXPECT_EQ(split("train.v1/0001.jpg"), Pair("train.v1/0001", "jpg"));
  EXPECT_EQ(split("some/path/22.0/1.1.png"), Pair("some/path/22.0/1", "1.png"));
  EXPECT_EQ(split("22.05.png"), Pair("22", "05.png"));
  EXPECT_EQ(split("235342 Track 2.0 (Clean Version).mp3"),
            Pair("235342 Track 2", "0 (Clean Version).mp3"));
  EXPECT_EQ(split("a.jpg"), Pair("a", "jpg"));
  EXPECT_EQ(split("LICENSE"), Pair("", ""));
}

TEST_F(TarTest, LeavesOutWhatMacOsAddsAndSaysSo) {
  const auto source = open(tar_of({{"a/._0001.jpg", std::string(163, '\5')},
                                   {"a/0001.jpg", "j"},
                                   {"a/._0001.cls", "x"},
                                   {"__MACOSX/a/0001.jpg", "x"},
                                   {"a/0001.cls", "4"}}));
  EXPECT_EQ(source->describe().num_records, 1);
  EXPECT_EQ(label(*source, 0), 4);
  EXPECT_THAT(source->describe().notes, ElementsAre("3 hidden entries left out"));
}

TEST_F(TarTest, SaysWhatWasExpectedWhenThereAreNoClasses) {
  EXPECT_THAT(error(tar_of({{"1.jpg", "a"}, {"2.jpg", "b"}})),
              AllOf(HasSubstr("s.tar"), HasSubstr("a folder for each class"),
                    HasSubstr("got neither")));
}

}  // namespace
}  // namespace stoker::data
