#include <cstddef>
#include <cstdint>
#include <span>

#include "stoker/data/codecs/image.h"

/// Any bytes decode to pixels or to a reason; a region of what decodes has its size.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static stoker::data::ImageDecoder decoder;
  static stoker::data::Image image;
  const auto bytes = std::as_bytes(std::span(data, size));
  constexpr int64_t kMaxPixels = int64_t{1} << 20;  // Larger ones only cost time.
  const auto info = decoder.probe(bytes);
  if (!info || int64_t{info->width} * info->height > kMaxPixels) return 0;
  if (!decoder.decode(bytes, 3, image)) return 0;
  if (image.width != info->width || image.height != info->height) __builtin_trap();
  const stoker::data::Region region{info->width / 3, info->height / 2,
                                    (info->width + 1) / 2, (info->height + 1) / 2};
  if (decoder.decode(bytes, 1, image, region).ok() && image.width != region.width) {
    __builtin_trap();
  }
  return 0;
}
