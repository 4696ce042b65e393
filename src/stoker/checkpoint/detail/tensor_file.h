#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "stoker/base/files.h"
#include "stoker/checkpoint/detail/header.h"
#include "stoker/checkpoint/safetensors.h"

namespace stoker::detail {

/// What a file was given to hold: the manifest keeps it, load compares.
struct TensorFileRecord {
  struct Tensor {
    std::string dtype;
    std::vector<int64_t> shape;
    std::string xxh128;
    bool operator==(const Tensor&) const = default;
  };
  uint64_t bytes = 0;
  std::string header_xxh128;  ///< Of all bytes before the data.
  std::map<std::string, Tensor> tensors;
  bool operator==(const TensorFileRecord&) const = default;
};

/// Writes and flushes `path` itself, without a temporary name. The hashes are of the
/// tensors in memory, so that reading the file back proves what was written.
TensorFileRecord write_tensor_file(const std::filesystem::path& path,
                                   const NamedTensors& tensors,
                                   const std::map<std::string, std::string>& metadata,
                                   TiedTensors tied);

/// Bytes that `write_tensor_file` would write.
uint64_t tensor_file_bytes(const NamedTensors& tensors,
                           const std::map<std::string, std::string>& metadata);

/// A mapped file with its checked header.
struct OpenTensorFile {
  explicit OpenTensorFile(const std::filesystem::path& path);
  /// Compares size, header and every tensor with `record`. Throws Error(kData).
  void check(const TensorFileRecord& record) const;
  /// Copies the tensors out and restores ties.
  SafeTensors read() const;

  std::string place;
  MappedFile file;
  TensorFileHeader header;
};

}  // namespace stoker::detail
