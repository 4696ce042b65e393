#pragma once

#include <torch/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace stoker {

/// Tensors by name, in order.
using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

struct SafeTensors {
  NamedTensors tensors;
  std::map<std::string, std::string> metadata;
};

/// Writes the safetensors format (github.com/huggingface/safetensors): an 8-byte little-endian
/// header length, a JSON header, the data. Tensors that share storage and shape (tied weights)
/// are written once; the aliases go to the metadata and are restored by `read_safetensors`.
/// Writes a temporary file, flushes and renames. Throws Error(kIo).
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata = {});

/// Reads and checks a file: header bounds, dtypes, shapes against offsets, no overlap, no gap.
/// Throws Error(kData) with the file, the tensor, expected and got.
SafeTensors read_safetensors(const std::filesystem::path& path);

}  // namespace stoker
