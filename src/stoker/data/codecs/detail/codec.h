#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "stoker/data/codecs/image.h"

namespace stoker::data::detail {

/// One image format. Knows nothing of orientation but where it is written: regions and
/// sizes are those of the stored image. Keeps its memory between calls; one a thread.
class Codec {
 public:
  virtual ~Codec() = default;
  /// Width and height as stored.
  virtual Result<ImageInfo> header(std::span<const std::byte> bytes) = 0;
  /// EXIF orientation, 1..8; 1 when none is written. Cheap: looks at the first segments
  /// only.
  virtual int orientation(std::span<const std::byte> bytes) = 0;
  virtual Status decode(std::span<const std::byte> bytes, int channels, Image& out,
                        const std::optional<Region>& region) = 0;
};

std::unique_ptr<Codec> make_jpeg_codec();
std::unique_ptr<Codec> make_png_codec();

}  // namespace stoker::data::detail
