#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stoker::data::detail {

/// An entry of an archive; `name` lives only during the call that it is handed to.
struct TarMember {
  std::string_view name;  ///< Without a leading "./" and a trailing "/".
  uint64_t offset = 0;    ///< Of the content.
  uint64_t size = 0;
  bool is_folder = false;
};

/// True for a block of 512 bytes whose header checksum is right.
bool is_tar_header(std::span<const std::byte> bytes);

/// Visits the files and folders of a tar archive in memory: ustar, GNU (long names,
/// base-256 sizes) and pax headers (path, size), after POSIX.1-2017 "pax" and the GNU tar
/// manual. Links and devices are left out. Returns one line for each kind of thing that
/// was left out. Throws Error(kData) with archive, member and byte offset when the
/// archive is damaged or cut short.
std::vector<std::string> walk_tar(std::span<const std::byte> bytes,
                                  const std::string& archive,
                                  const std::function<void(const TarMember&)>& visit);

}  // namespace stoker::data::detail
