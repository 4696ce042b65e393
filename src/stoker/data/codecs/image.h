#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stoker/base/error.h"

namespace stoker::data {

/// Pixels as rows of interleaved bytes: [height, width, channels].
struct Image {
  int width = 0;
  int height = 0;
  int channels = 0;
  std::vector<uint8_t> pixels;
  size_t row_bytes() const {
    return static_cast<size_t>(width) * static_cast<size_t>(channels);
  }
  const uint8_t* row(int y) const {
    return pixels.data() + static_cast<size_t>(y) * row_bytes();
  }
  uint8_t* row(int y) { return pixels.data() + static_cast<size_t>(y) * row_bytes(); }
};

/// What the header says, before any pixel is decoded.
struct ImageInfo {
  std::string format;  ///< "jpeg", "png".
  int width = 0;       ///< After EXIF orientation.
  int height = 0;
  int orientation = 1;  ///< EXIF, 1..8.
};

/// A rectangle of the upright image.
struct Region {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// Decodes images; keeps library state and scratch memory between calls. One a thread.
///
/// The format is found by content. The result is upright (EXIF orientation applied), with
/// 1 or 3 channels as asked: grey is replicated, colour becomes (299 R + 587 G + 114 B) /
/// 1000, CMYK and YCCK are converted, 16 bits are scaled to 8, alpha is dropped, palettes
/// resolved. A failure says: "empty", "not an image (starts with 48 65 6c 6c)",
/// "truncated at byte 512", or the library's reason.
class ImageDecoder {
 public:
  ImageDecoder();
  ~ImageDecoder();
  ImageDecoder(ImageDecoder&&) noexcept;
  ImageDecoder& operator=(ImageDecoder&&) noexcept;

  Result<ImageInfo> probe(std::span<const std::byte> bytes);
  /// Decodes the whole image, or only `region` of it, into `out` (reused without
  /// allocation when it is large enough).
  Status decode(std::span<const std::byte> bytes, int channels, Image& out,
                const std::optional<Region>& region = std::nullopt);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Names of the formats that can be decoded.
std::vector<std::string> list_codecs();

}  // namespace stoker::data
