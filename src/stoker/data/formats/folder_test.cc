#include "stoker/data/formats/folder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/formats/detail/test_allocations.h"
#include "stoker/data/formats/detail/test_archives.h"

namespace stoker::data {
namespace {
namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::write_bytes;

class FolderTest : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::string& content = "x") {
    write_bytes(root() / name, content);
  }
  fs::path root() const { return folder_.path() / "data"; }
  std::unique_ptr<RecordSource> open(const OpenOptions& options = {}) {
    return open_folder(root().string(), options);
  }
  std::string refusal() {
    try {
      open();
    } catch (const Error& error) {
      return error.what();
    }
    return "opened";
  }
  stoker::testing::TemporaryFolder folder_;
};

std::vector<std::string> names(const RecordSource& source) {
  std::vector<std::string> all;
  for (int64_t i = 0; i < source.describe().num_records; ++i)
    all.push_back(fs::path(source.name(i)).lexically_relative(source.describe().path));
  return all;
}

TEST_F(FolderTest, ReadsTheBytesOfEveryFileWithTheLabelOfItsFolder) {
  const auto source = open_folder(testing::cifar("test").string(), {});
  ASSERT_GT(source->describe().num_records, 100);
  RecordBuffer buffer;
  for (int64_t i = 0; i < source->describe().num_records; ++i) {
    const auto record = source->read(i, buffer);
    ASSERT_TRUE(record.ok());
    const std::string whole = read_file(source->name(i));
    EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(record->bytes.data()),
                               record->bytes.size()),
              whole);
    const auto& label = source->describe().classes[static_cast<size_t>(record->label)];
    EXPECT_EQ(fs::path(source->name(i)).parent_path().filename(), label);
  }
}

TEST_F(FolderTest, AllocatesNothingForARecordOnceTheBufferHasGrown) {
  const auto source = open_folder(testing::cifar("test").string(), {});
  RecordBuffer buffer;
  buffer.reserve(1 << 16);
  const int64_t before = testing::num_allocations();
  for (int64_t i = 0; i < 100; ++i) (void)source->read(i, buffer);
  EXPECT_EQ(testing::num_allocations() - before, 0);
}

TEST_F(FolderTest, OrdersFilesByClassThenNameAtAnyDepth) {
  add("b/2.png");
  add("b/1.png");
  add("a/deep/er/1.png");
  add("a/9.png");
  const auto source = open();
  EXPECT_THAT(names(*source),
              ElementsAre("a/9.png", "a/deep/er/1.png", "b/1.png", "b/2.png"));
}

TEST_F(FolderTest, LeavesOutHiddenFoldersAndFilesInTheRootAndSaysSo) {
  add(".ipynb_checkpoints/x.png");
  add("a/1.png");
  add("b/1.png");
  add("b/.DS_Store");
  add("README");
  const auto source = open();
  EXPECT_THAT(source->describe().classes, ElementsAre("a", "b"));
  EXPECT_THAT(names(*source), ElementsAre("a/1.png", "b/1.png"));
  EXPECT_THAT(source->describe().notes,
              ElementsAre("2 hidden files or folders left out",
                          "1 files outside of class folders left out"));
}

TEST_F(FolderTest, KeepsTheLabelsOfTheTrainingDataWhereAClassIsEmptyOrMissing) {
  fs::create_directories(root() / "cat");
  add("dog/1.png");
  OpenOptions options;
  options.classes = {"ant", "cat", "dog"};
  const auto source = open(options);
  EXPECT_THAT(source->describe().class_counts, ElementsAre(0, 0, 1));
  RecordBuffer buffer;
  EXPECT_EQ(source->read(0, buffer)->label, 2);
  EXPECT_THAT(open()->describe().classes, ElementsAre("cat", "dog"));
}

TEST_F(FolderTest, RefusesAClassThatTheTrainingDataLacks) {
  add("dgo/1.png");
  OpenOptions options;
  options.classes = {"cat", "dog"};
  try {
    open(options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("class 'dgo'"), HasSubstr("did you mean 'dog'?")));
  }
}

TEST_F(FolderTest, SurvivesLinksThatLeadBackUp) {
  add("a/1.png");
  fs::create_directory_symlink("..", root() / "a/up");
  fs::create_directory_symlink(".", root() / "a/self");
  fs::create_symlink("1.png", root() / "a/2.png");
  fs::create_symlink("nowhere", root() / "a/3.png");
  const auto source = open();
  EXPECT_THAT(names(*source), ElementsAre("a/1.png", "a/2.png"));
  EXPECT_THAT(source->describe().notes,
              ElementsAre("2 links back to a folder above left out",
                          "1 links to nothing, pipes or devices left out"));
}

TEST_F(FolderTest, SaysWhatWasExpectedAndFoundWithoutClassFolders) {
  add("1.png");
  add("2.png");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("expected a folder for each class"),
                               HasSubstr("no folders and 2 files")));
}

TEST_F(FolderTest, OffersThePartsOfADataSet) {
  add("train/cat/1.png");
  add("test/cat/1.png");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("test and train"), HasSubstr("data/train\"")));
}

TEST_F(FolderTest, NamesAFolderThatCannotBeListed) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may list every folder";
  add("a/in/1.png");
  ::chmod((root() / "a/in").c_str(), 0);
  EXPECT_THAT(refusal(), AllOf(HasSubstr("data/a/in"), HasSubstr("Permission denied")));
  ::chmod((root() / "a/in").c_str(), 0755);
}

TEST_F(FolderTest, TellsWhyAFileThatWentAwayCannotBeRead) {
  add("a/1.png");
  const auto source = open();
  fs::remove(root() / "a/1.png");
  RecordBuffer buffer;
  EXPECT_EQ(source->read(0, buffer).reason(), "No such file or directory");
}

class LongListingTest : public FolderTest {
 protected:
  static constexpr int kClasses = 4;
  static constexpr int kFiles = 200'000;

  void SetUp() override {
    for (int c = 0; c < kClasses; ++c) {
      const fs::path folder = root() / cat("class", c);
      fs::create_directories(folder);
      const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      for (int i = 0; i < kFiles / kClasses; ++i) {
        const int file = ::openat(fd, cat("n0144_", 100'000 + i, ".JPEG").c_str(),
                                  O_CREAT | O_WRONLY, 0644);
        if (file < 0) GTEST_SKIP() << "cannot make 200,000 files here";
        ::close(file);
      }
      ::close(fd);
    }
    settle();
  }
  /// Dates the folders back, so that they count as unchanged for a while.
  void settle() {
    const auto past = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& entry : fs::directory_iterator(root()))
      fs::last_write_time(entry.path(), past);
    fs::last_write_time(root(), past);
  }
};

TEST_F(LongListingTest, TakesAtMost100BytesANameTellsItsProgressAndIsKept) {
  std::vector<int64_t> told;
  OpenOptions options;
  options.cache_folder = (folder_.path() / "cache").string();
  options.on_progress = [&](int64_t count) { told.push_back(count); };

  const int64_t before = testing::live_bytes();
  const auto plain = open();
  EXPECT_LE(testing::live_bytes() - before, int64_t{100} * kFiles);
  EXPECT_GE(testing::live_bytes() - before, int64_t{17} * kFiles);  // The names alone.
  testing::restart_peak();
  const int64_t start = testing::live_bytes();
  auto listed = open();
  EXPECT_LE(testing::peak_bytes() - start, int64_t{100} * kFiles);
  RecordProperty("bytes_a_name_peak",
                 static_cast<int>((testing::peak_bytes() - start) / kFiles));

  listed = open(options);
  EXPECT_THAT(told, ElementsAre(50'000, 100'000, 150'000, 200'000));
  told.clear();
  const auto kept = open(options);
  EXPECT_TRUE(told.empty()) << "listed again";
  EXPECT_EQ(kept->describe().num_records, kFiles);
  EXPECT_EQ(names(*kept), names(*listed));

  write_bytes(root() / "class2/new.JPEG", "x");
  EXPECT_EQ(open(options)->describe().num_records, kFiles + 1);
  EXPECT_FALSE(told.empty()) << "a new file must be seen";
}

}  // namespace
}  // namespace stoker::data
