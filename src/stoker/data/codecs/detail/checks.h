#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "stoker/data/codecs/image.h"

namespace stoker::data::detail {

/// Refuses an image that no honest file of this size holds: more than 2^28 pixels, or
/// more than the format can pack into `file_bytes` at `max_pixels_per_byte`. Small images
/// pass.
Status check_size(int64_t width, int64_t height, size_t file_bytes,
                  int64_t max_pixels_per_byte);

/// Refuses a region that is empty or reaches beyond the image.
Status check_region(const Region& region, int width, int height);

std::string truncated_at(size_t num_bytes);

void shape(Image& image, int width, int height, int channels);

inline uint32_t big_endian(std::span<const std::byte> bytes, size_t at, size_t count) {
  uint32_t value = 0;
  for (size_t i = 0; i < count; ++i) {
    value = value << 8 | std::to_integer<uint32_t>(bytes[at + i]);
  }
  return value;
}

}  // namespace stoker::data::detail
