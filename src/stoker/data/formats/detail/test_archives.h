#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "stoker/base/testing.h"

namespace stoker::data::testing {

/// A ustar header by hand, after POSIX.1-2017 "pax", ustar interchange format.
inline std::string tar_header(const std::string& name, size_t size, char type = '0') {
  std::string block(512, '\0');
  block.replace(0, name.size(), name);
  block.replace(100, 7, "0000644");
  char octal[13];
  std::snprintf(octal, sizeof octal, "%011zo", size);
  block.replace(124, 11, octal);
  block.replace(136, 11, "00000000000");
  block[156] = type;
  block.replace(257, 5, "ustar");
  block.replace(263, 2, "00");
  block.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  std::snprintf(octal, sizeof octal, "%06o", sum);
  block.replace(148, 7, std::string(octal, 7));
  return block;
}

inline std::string tar_member(const std::string& name, const std::string& content,
                              char type = '0') {
  const std::string padding((512 - content.size() % 512) % 512, '\0');
  return tar_header(name, content.size(), type) + content + padding;
}

inline std::string tar_of(
    const std::vector<std::pair<std::string, std::string>>& members) {
  std::string bytes;
  for (const auto& [name, content] : members) bytes += tar_member(name, content);
  return bytes + std::string(1024, '\0');
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::filesystem::path cifar(const std::string& part) {
  return std::filesystem::path(STOKER_SOURCE_DIR) / "examples/data/cifar10" / part;
}

/// Runs `tar arguments`; false when there is no such program or it fails.
inline bool run_tar(const std::string& arguments) {
  return std::system(("tar " + arguments + " >/dev/null 2>&1").c_str()) == 0;  // NOLINT
}

}  // namespace stoker::data::testing
