#include "stoker/data/codecs/detail/pixels.h"

#include <algorithm>

namespace stoker::data::detail {
namespace {

/// a * b / 255, rounded.
int scaled(int a, int b) {
  const int product = a * b + 128;
  return ((product >> 8) + product) >> 8;
}

}  // namespace

void rgb_to_grey(const uint8_t* rgb, size_t num_pixels, uint8_t* grey) {
  for (size_t i = 0; i < num_pixels; ++i) {
    const uint32_t sum =
        299U * rgb[3 * i] + 587U * rgb[3 * i + 1] + 114U * rgb[3 * i + 2];
    grey[i] = static_cast<uint8_t>((sum + 500U) / 1000U);
  }
}

void inverted_cmyk_to_rgb(const uint8_t* cmyk, size_t num_pixels, uint8_t* rgb) {
  for (size_t i = 0; i < num_pixels; ++i) {
    const int key = cmyk[4 * i + 3];
    for (size_t c = 0; c < 3; ++c) {
      const int value = key - scaled(255 - cmyk[4 * i + c], key);
      rgb[3 * i + c] = static_cast<uint8_t>(std::max(value, 0));
    }
  }
}

}  // namespace stoker::data::detail
