#include "stoker/data/codecs/detail/checks.h"

#include "stoker/base/strings.h"

namespace stoker::data::detail {

Status check_size(int64_t width, int64_t height, size_t file_bytes,
                  int64_t max_pixels_per_byte) {
  constexpr int64_t kMaxPixels = int64_t{1} << 28;
  constexpr int64_t kSmallPixels = int64_t{1} << 20;
  const int64_t pixels = width * height;
  if (pixels > kMaxPixels) {
    return Failure{
        cat("too large: ", width, "x", height, " pixels, at most ", kMaxPixels)};
  }
  if (pixels > kSmallPixels &&
      pixels / max_pixels_per_byte > static_cast<int64_t>(file_bytes)) {
    return Failure{cat("too large: ", width, "x", height, " pixels cannot be in ",
                       file_bytes, " bytes")};
  }
  return Ok{};
}

Status check_region(const Region& region, int width, int height) {
  if (region.x >= 0 && region.y >= 0 && region.width > 0 && region.height > 0 &&
      region.width <= width - region.x && region.height <= height - region.y) {
    return Ok{};
  }
  return Failure{cat("region ", region.width, "x", region.height, " at (", region.x, ", ",
                     region.y, ") is outside the image of ", width, "x", height)};
}

std::string truncated_at(size_t num_bytes) {
  return cat("truncated at byte ", num_bytes);
}

void shape(Image& image, int width, int height, int channels) {
  image.width = width;
  image.height = height;
  image.channels = channels;
  image.pixels.resize(image.row_bytes() * static_cast<size_t>(height));
}

}  // namespace stoker::data::detail
