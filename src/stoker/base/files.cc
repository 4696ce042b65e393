#include "stoker/base/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker {
namespace fs = std::filesystem;

std::string system_reason() { return std::system_category().message(errno); }

namespace {
[[noreturn]] void fail(const char* what, const fs::path& path) {
  const std::string reason = system_reason();
  throw Error(ErrorCode::kIo,
              cat("[files] ", path.string(), ": cannot ", what, ": ", reason));
}

class ReadDescriptor {
 public:
  explicit ReadDescriptor(const fs::path& path)
      // A pipe without a writer must not hold the program.
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (fd_ < 0) fail("open for reading", path);
    struct stat status {};
    if (::fstat(fd_, &status) != 0 || S_ISDIR(status.st_mode)) {
      if (S_ISDIR(status.st_mode)) errno = EISDIR;
      const int saved = errno;
      ::close(fd_);
      errno = saved;
      fail("read", path);
    }
    if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) {
      ::close(fd_);
      throw Error(ErrorCode::kInvalid,
                  cat("[files] ", path.string(), ": expected a file, got a pipe"));
    }
    size_ = static_cast<size_t>(status.st_size);
  }
  ReadDescriptor(const ReadDescriptor&) = delete;
  ReadDescriptor& operator=(const ReadDescriptor&) = delete;
  ~ReadDescriptor() { ::close(fd_); }
  int fd() const { return fd_; }
  size_t size() const { return size_; }

 private:
  int fd_;
  size_t size_ = 0;
};
}  // namespace

std::string read_file(const fs::path& path) {
  const ReadDescriptor file(path);
  std::string content;
  content.reserve(file.size());
  char chunk[1 << 16];
  while (true) {
    const ssize_t got = ::read(file.fd(), chunk, sizeof chunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path);
    if (got == 0) return content;
    content.append(chunk, static_cast<size_t>(got));
  }
}

OutputFile::OutputFile(const fs::path& path)
    : path_(path),
      fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (fd_ < 0) fail("open for writing", path_);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
}

void OutputFile::write(std::string_view bytes) { write(bytes.data(), bytes.size()); }

void OutputFile::write(const void* data, size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t wrote = ::write(fd_, at, size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) fail("write", path_);
    at += wrote;
    size -= static_cast<size_t>(wrote);
  }
}

void OutputFile::flush_and_close() {
  if (::fsync(fd_) != 0) fail("flush", path_);
  if (::close(std::exchange(fd_, -1)) != 0) fail("close", path_);
}

void flush_folder(const fs::path& folder) {
  const fs::path target = folder.empty() ? fs::path(".") : folder;
  const int fd = ::open(target.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) fail("open folder", target);
  // Some network file systems cannot flush a folder and say EINVAL: nothing more can be
  // done.
  const bool failed = ::fsync(fd) != 0 && errno != EINVAL;
  const int saved = errno;
  ::close(fd);
  errno = saved;
  if (failed) fail("flush folder", target);
}

void rename_durably(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail("rename to its final name", to);
  flush_folder(to.parent_path());
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  fs::path temporary = path;
  temporary += cat(".tmp", ::getpid());
  try {
    OutputFile file(temporary);
    file.write(content);
    file.flush_and_close();
    rename_durably(temporary, path);
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  }
}

int64_t free_disk_bytes(const fs::path& path) {
  struct statvfs status {};
  const fs::path target = path.empty() ? fs::path(".") : path;
  if (::statvfs(target.c_str(), &status) != 0) fail("ask for free space", target);
  return static_cast<int64_t>(status.f_bavail) * static_cast<int64_t>(status.f_frsize);
}

MappedFile::MappedFile(const fs::path& path) {
  const ReadDescriptor file(path);
  size_ = file.size();
  if (size_ == 0) return;
  void* data = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file.fd(), 0);
  if (data == MAP_FAILED) fail("map into memory", path);
  data_ = static_cast<const std::byte*>(data);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace stoker
