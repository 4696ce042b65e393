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
  NamedTensors tensors;  ///< In the order of their data; tied names last.
  std::map<std::string, std::string> metadata;
};

/// How tensors with one storage (tied weights) are written.
enum class TiedTensors {
  kOnce,  ///< The first name holds the data, `metadata[other name] = first name`.
  kEach,  ///< Every name holds the data: for readers that know no ties.
};

/// Writes the safetensors format (github.com/huggingface/safetensors): an 8-byte
/// little-endian header length, a JSON header, the data, in the order of the reference
/// implementation.
///
/// Data is in logical (contiguous) order whatever the strides. Tensors with the same
/// storage, place, shape and strides are tied and written once, in the convention of
/// safetensors' `save_model`; `read_safetensors` gives both names one tensor again.
/// Writes a temporary file, flushes and renames. Throws Error(kIo) for the file,
/// Error(kInvalid) for a name that is double or not UTF-8, a dtype that is not in the
/// format, and metadata that would read as a tie.
void write_safetensors(const std::filesystem::path& path, const NamedTensors& tensors,
                       const std::map<std::string, std::string>& metadata = {},
                       TiedTensors tied = TiedTensors::kOnce);

/// Reads and checks a file: header bounds, dtypes, shapes against offsets, no overlap, no
/// gap. Throws Error(kData) with the file, the tensor, expected and got. Nothing is
/// allocated for a tensor before its bytes are known to be in the file.
SafeTensors read_safetensors(const std::filesystem::path& path);

}  // namespace stoker
