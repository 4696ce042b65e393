#include "stoker/base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <functional>
#include <utility>

#include "stoker/base/error.h"
#include "stoker/base/testing.h"

namespace stoker {
namespace {
namespace fs = std::filesystem;

using ::testing::HasSubstr;

std::string failure(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code() == ErrorCode::kIo ? error.what() : "another error code";
  }
  return "no error";
}

class Files : public ::testing::Test {
 protected:
  fs::path in(const char* name) const { return folder_.path() / name; }
  size_t num_files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  testing::TemporaryFolder folder_;
};

TEST_F(Files, WhatIsWrittenIsRead) {
  const std::string content("a\0b\n\xFF", 5);
  write_file_atomically(in("x"), content);
  EXPECT_EQ(read_file(in("x")), content);
  write_file_atomically(in("x"), "");
  EXPECT_EQ(read_file(in("x")), "");
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(Files, ReadsWhatHasNoKnownSize) {
  EXPECT_THAT(read_file("/proc/self/status"), HasSubstr("Pid:"));
}

TEST_F(Files, FailuresNameThePathAndTheReason) {
  EXPECT_EQ(failure([&] { read_file(in("none")); }),
            "[files] " + in("none").string() +
                ": cannot open for reading: No such file or directory");
  EXPECT_EQ(failure([&] { read_file(folder_.path()); }),
            "[files] " + folder_.path().string() + ": cannot read: Is a directory");
  EXPECT_THAT(failure([&] { OutputFile(in("none/x")); }),
              HasSubstr("none/x: cannot open for writing: No such file or directory"));
  EXPECT_THAT(failure([&] { free_disk_bytes(in("none")); }),
              HasSubstr("none: cannot ask"));
  EXPECT_THAT(failure([&] { MappedFile map(in("none")); }),
              HasSubstr("none: cannot open"));
  EXPECT_THAT(failure([&] { flush_folder(in("none")); }),
              HasSubstr("cannot open folder"));
}

TEST_F(Files, AFullDiskIsAnErrorOfTheWrite) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  OutputFile file("/dev/full");
  EXPECT_EQ(failure([&] { file.write("x"); }),
            "[files] /dev/full: cannot write: No space left on device");
}

/// Files of this process cannot grow beyond so many bytes while it lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_F(Files, AFailedWriteLeavesTheOldFileAndNoOther) {
  write_file_atomically(in("x"), "old");
  {
    const FileSizeLimit limit(1000);
    EXPECT_THAT(failure([&] { write_file_atomically(in("x"), std::string(2000, 'n')); }),
                HasSubstr("cannot write: File too large"));
  }
  EXPECT_EQ(read_file(in("x")), "old");
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(Files, AFailedRenameLeavesNoTemporaryFile) {
  fs::create_directories(in("x/full"));
  EXPECT_THAT(failure([&] { write_file_atomically(in("x"), "new"); }),
              HasSubstr("x: cannot rename to its final name"));
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(Files, RenamesOverWhatIsThere) {
  write_file_atomically(in("a"), "new");
  write_file_atomically(in("b"), "old");
  rename_durably(in("a"), in("b"));
  EXPECT_EQ(read_file(in("b")), "new");
  EXPECT_EQ(num_files(), 1U);
}

TEST_F(Files, AnOutputFileMovesItsDescriptor) {
  OutputFile first(in("x"));
  first.write("a");
  OutputFile second(std::move(first));
  second.write("b");
  second.flush_and_close();
  EXPECT_EQ(second.path(), in("x"));
  EXPECT_EQ(read_file(in("x")), "ab");
}

TEST_F(Files, MapsTheBytesOfAFile) {
  write_file_atomically(in("x"), "abc");
  write_file_atomically(in("empty"), "");
  MappedFile map(in("x"));
  MappedFile other;
  other = std::move(map);
  const auto bytes = other.bytes();
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
            "abc");
  EXPECT_TRUE(MappedFile(in("empty")).bytes().empty());
}

TEST_F(Files, KnowsTheFreeSpaceOfTheDisk) {
  EXPECT_EQ(free_disk_bytes("/proc"), 0);
  EXPECT_GT(free_disk_bytes(folder_.path()), 0);
}

}  // namespace
}  // namespace stoker
