#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stoker::detail {

/// The dtypes, in the order of the reference implementation: by size, so that data
/// written from the last to the first is aligned.
enum class TensorType { kBool, kU8, kI8, kI16, kF16, kBF16, kI32, kF32, kF64, kI64 };

/// "F32".
std::string_view type_name(TensorType type);
uint64_t type_bytes(TensorType type);

struct TensorEntry {
  std::string name;
  TensorType type = TensorType::kF32;
  std::vector<int64_t> shape;
  uint64_t begin = 0;  ///< Offsets into the data that follows the header.
  uint64_t end = 0;
};

struct TensorFileHeader {
  std::vector<TensorEntry> tensors;  ///< In the order of their data.
  std::map<std::string, std::string> metadata;
  uint64_t data_begin = 0;  ///< Offset of the data in the file.

  std::span<const std::byte> data_of(const TensorEntry& entry,
                                     std::span<const std::byte> file) const {
    return file.subspan(data_begin + entry.begin, entry.end - entry.begin);
  }
};

/// Puts entries into the order of the file (largest dtype first, then by name) and gives
/// them their offsets. Throws Error(kInvalid) for a name that is there twice.
void lay_out(std::vector<TensorEntry>& entries);

/// The length and the JSON, padded with blanks to 8 bytes as the reference does.
/// Throws Error(kInvalid) for names and metadata that are not UTF-8.
std::string format_header(const std::vector<TensorEntry>& entries,
                          const std::map<std::string, std::string>& metadata);

/// Reads and checks the header of `file`, a whole safetensors file; `place` names it in
/// messages. Throws Error(kData).
TensorFileHeader parse_header(std::span<const std::byte> file, const std::string& place);

/// A name from outside, fit for a message: short and without control characters.
std::string shown(std::string_view name);
/// "[2, 3]".
std::string shown(const std::vector<int64_t>& shape);

}  // namespace stoker::detail
