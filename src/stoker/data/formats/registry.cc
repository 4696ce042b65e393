#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/formats/detail/tar_index.h"
#include "stoker/data/formats/folder.h"
#include "stoker/data/formats/record_source.h"
#include "stoker/data/formats/tar.h"

namespace stoker::data {
namespace fs = std::filesystem;

namespace {
/// What detection looks at.
struct Candidate {
  bool is_folder = false;
  std::string_view head;  // The first bytes of a file.
};

struct Format {
  const char* name;
  bool (*detects)(const Candidate&);
  std::unique_ptr<RecordSource> (*opens)(const std::string&, const OpenOptions&);
};

bool detects_folder(const Candidate& candidate) { return candidate.is_folder; }
bool detects_tar(const Candidate& candidate) {
  return candidate.head.substr(std::min<size_t>(candidate.head.size(), 257))
             .starts_with("ustar") ||
         detail::is_tar_header(std::as_bytes(std::span(candidate.head)));
}

constexpr std::array kFormats = {
    Format{"folder", detects_folder, open_folder},
    Format{"tar", detects_tar, open_tar},
};

struct Signature {
  std::string_view bytes;
  const char* meaning;
};
constexpr std::array kOthers = {
    Signature{"\x1f\x8b", "gzip-compressed data (decompress it first: gzip -d)"},
    Signature{"\x28\xb5\x2f\xfd", "zstd-compressed data (decompress it first: zstd -d)"},
    Signature{"\xfd\x37zXZ", "xz-compressed data (decompress it first: xz -d)"},
    Signature{"BZh", "bzip2-compressed data (decompress it first: bzip2 -d)"},
    Signature{"PK\x03\x04", "a ZIP archive (unpack it into a folder first)"},
    Signature{"\xff\xd8\xff",
              "a JPEG image (give the folder that holds the class folders)"},
    Signature{"\x89PNG", "a PNG image (give the folder that holds the class folders)"},
};

std::string read_head(const std::string& path) {
  // A pipe without a writer must not hold the program.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  std::string head(512, '\0');
  const ssize_t got = fd < 0 ? -1 : ::read(fd, head.data(), head.size());
  const std::string reason = system_reason();
  if (fd >= 0) ::close(fd);
  if (got < 0)
    throw Error(ErrorCode::kIo,
                cat("[data] ", path, ": expected to read it, got ", reason));
  head.resize(static_cast<size_t>(got));
  return head;
}

std::string in_words(std::string_view head) {
  if (head.empty()) return "an empty file";
  for (const auto& [bytes, meaning] : kOthers) {
    if (head.starts_with(bytes)) return meaning;
  }
  std::string text = "a file that starts with";
  for (const char byte : head.substr(0, 8)) {
    char digits[4];
    std::snprintf(digits, sizeof digits, " %02x", static_cast<unsigned char>(byte));
    text += digits;
  }
  return text;
}

[[noreturn]] void fail_missing(const std::string& path) {
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    names.push_back(entry.path().filename());
  const std::string near = nearest(fs::path(path).filename().string(), names);
  throw Error(ErrorCode::kInvalid,
              cat("[data] ", path, ": expected a folder or an archive, got no such file",
                  near.empty() ? "" : cat(", did you mean '", near, "'?")));
}
}  // namespace

std::vector<std::string> list_formats() {
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  return names;
}

std::unique_ptr<RecordSource> open_source(const std::string& path,
                                          const OpenOptions& options) {
  std::string outer = path;
  while (outer.size() > 1 && outer.ends_with('/')) outer.pop_back();
  outer = split_archive_path(outer).archive;
  std::error_code error;
  const auto status = fs::status(outer, error);
  if (status.type() == fs::file_type::not_found) fail_missing(outer);
  Candidate candidate;
  candidate.is_folder = fs::is_directory(status);
  const std::string head = candidate.is_folder ? "" : read_head(outer);
  candidate.head = head;
  for (const Format& format : kFormats) {
    if (format.detects(candidate)) return format.opens(path, options);
  }
  throw Error(ErrorCode::kData,
              cat("[data] ", outer, ": expected a folder or a tar archive, got ",
                  in_words(head)));
}

}  // namespace stoker::data
