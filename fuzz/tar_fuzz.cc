#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

#include "stoker/base/error.h"
#include "stoker/data/formats/detail/tar_index.h"

namespace {
constexpr size_t kBlock = 512;

/// Gives the headers right checksums, or hardly any change would get past them.
void sign(std::string& archive) {
  for (size_t at = 0; at + kBlock <= archive.size(); at += kBlock) {
    if (archive.compare(at + 257, 5, "ustar") != 0) continue;
    archive.replace(at + 148, 8, "        ");
    unsigned sum = 0;
    for (size_t i = 0; i < kBlock; ++i) sum += static_cast<uint8_t>(archive[at + i]);
    char octal[8];
    std::snprintf(octal, sizeof octal, "%06o", sum & 0777777);
    archive.replace(at + 148, 7, octal, 7);
  }
}
}  // namespace

/// Any bytes are members that lie inside the archive, or a stoker::Error.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string archive(reinterpret_cast<const char*>(data), size);
  sign(archive);
  try {
    stoker::data::detail::walk_tar(
        std::as_bytes(std::span(archive)), "fuzz.tar",
        [&](const stoker::data::detail::TarMember& member) {
          if (member.offset > size || member.size > size - member.offset)
            __builtin_trap();
        });
  } catch (const stoker::Error&) {
  }
  return 0;
}
