#include "stoker/checkpoint/safetensors.h"

#include <unistd.h>

#include <system_error>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/checkpoint/detail/tensor_file.h"

namespace stoker {
namespace fs = std::filesystem;

void write_safetensors(const fs::path& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata,
                       TiedTensors tied) {
  fs::path temporary = path;
  temporary += cat(".tmp", ::getpid());
  try {
    detail::write_tensor_file(temporary, tensors, metadata, tied);
    rename_durably(temporary, path);
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  }
}

SafeTensors read_safetensors(const fs::path& path) {
  return detail::OpenTensorFile(path).read();
}

}  // namespace stoker
