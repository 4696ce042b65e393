#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace stoker {

/// The whole file. Throws Error(kIo) with the path and the system's reason.
std::string read_file(const std::filesystem::path& path);

/// An open file for writing that is closed on every way out. Errors throw Error(kIo).
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();
  void write(std::string_view bytes);
  void write(const void* data, size_t size);
  /// Writes through to the disk and closes.
  void flush_and_close();
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int fd_ = -1;
};

/// Replaces `path` whole or not at all: temporary file, flush, rename, flush of the
/// folder.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Renames and flushes the folder entry to disk.
void rename_durably(const std::filesystem::path& from, const std::filesystem::path& to);
void flush_folder(const std::filesystem::path& folder);

/// Bytes that an ordinary user can still write on the file system of `path`.
int64_t free_disk_bytes(const std::filesystem::path& path);

/// A read-only memory map of a file.
class MappedFile {
 public:
  MappedFile() = default;
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();
  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
};

/// The last error of the system as text, e.g. "No such file or directory".
std::string system_reason();

}  // namespace stoker
