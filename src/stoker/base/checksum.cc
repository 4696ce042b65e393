#include "stoker/base/checksum.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>

namespace stoker {

namespace {
constexpr std::array<uint32_t, 256> crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit)
      value = value & 1 ? value >> 1 ^ 0x82F63B78U : value >> 1;
    table[i] = value;
  }
  return table;
}
}  // namespace

uint32_t crc32c(const void* data, size_t size) {
  static constexpr std::array<uint32_t, 256> kTable = crc_table();
  const auto* at = static_cast<const uint8_t*>(data);
  uint32_t crc = ~0U;
  for (size_t i = 0; i < size; ++i) crc = crc >> 8 ^ kTable[(crc ^ at[i]) & 0xFF];
  return ~crc;
}

uint32_t masked_crc32c(const void* data, size_t size) {
  const uint32_t crc = crc32c(data, size);
  return (crc >> 15 | crc << 17) + 0xA282EAD8U;
}

std::string xxh128(const void* data, size_t size) {
  const XXH128_hash_t hash = XXH3_128bits(data, size);
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : canonical.digest) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

}  // namespace stoker
