#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/checkpoint/safetensors.h"

/// Any bytes as a safetensors file: read, or refused with Error(kData), and what was read
/// is no larger than the file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const int fd = ::memfd_create("input", MFD_CLOEXEC);
  if (fd < 0 || ::write(fd, data, size) != static_cast<ssize_t>(size)) std::abort();
  try {
    size_t bytes = 0;
    for (const auto& [name, tensor] :
         stoker::read_safetensors(stoker::cat("/proc/self/fd/", fd)).tensors) {
      bytes = std::max(bytes, tensor.nbytes());
    }
    if (bytes > size) std::abort();
  } catch (const stoker::Error& error) {
    if (error.code() != stoker::ErrorCode::kData) std::abort();
  }
  ::close(fd);
  return 0;
}
