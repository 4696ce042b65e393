#include "stoker/base/checksum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace stoker {
namespace {

std::string counting(size_t size) {
  std::string bytes(size, '\0');
  std::iota(bytes.begin(), bytes.end(), '\0');
  return bytes;
}

uint32_t crc(const std::string& bytes) { return crc32c(bytes.data(), bytes.size()); }

// RFC 3720, appendix B.4, and the check value of the catalogue of CRC algorithms.
TEST(Crc32c, GivesThePublishedValues) {
  EXPECT_EQ(crc("123456789"), 0xE3069283U);
  EXPECT_EQ(crc(""), 0U);
  EXPECT_EQ(crc(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(crc(std::string(32, '\xFF')), 0x62A8AB43U);
  std::string bytes = counting(32);
  EXPECT_EQ(crc(bytes), 0x46DD794EU);
  std::reverse(bytes.begin(), bytes.end());
  EXPECT_EQ(crc(bytes), 0x113FDB5CU);
}

// By hand: 0xE3069283 turned right by 15 bits is 0x2507C60D; plus 0xA282EAD8.
TEST(Crc32c, IsMaskedAsTfRecordSays) {
  EXPECT_EQ(masked_crc32c("123456789", 9), 0xC78AB0E5U);
}

// From python-xxhash (xxHash 0.8.4); that of nothing is also in xxHash's own sanity
// check. The lengths take each of the ways through the algorithm.
TEST(Xxh128, GivesTheValuesOfThePythonBinding) {
  EXPECT_EQ(xxh128("", 0), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(xxh128("a", 1), "a96faf705af16834e6c632b61e964e1f");
  EXPECT_EQ(xxh128("123456789", 9), "33119477ede5dcd5e9716427681d5860");
  EXPECT_EQ(xxh128(counting(256).data(), 256), "f1f8a93f50849ac39408a4433b952d71");
  EXPECT_EQ(xxh128(std::string(1000, 'x').data(), 1000),
            "50a1af5a5f2dcf01c0a4877b962cba82");
}

}  // namespace
}  // namespace stoker
