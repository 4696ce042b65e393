#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace stoker {

/// CRC-32C (Castagnoli, RFC 3720).
uint32_t crc32c(const void* data, size_t size);
/// The masked form that TFRecord and TensorBoard files hold.
uint32_t masked_crc32c(const void* data, size_t size);
/// XXH3-128 as 32 hexadecimal digits.
std::string xxh128(const void* data, size_t size);

}  // namespace stoker
