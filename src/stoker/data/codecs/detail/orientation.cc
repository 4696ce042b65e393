#include "stoker/data/codecs/detail/orientation.h"

#include <algorithm>
#include <cstdint>

#include "stoker/data/codecs/detail/checks.h"

namespace stoker::data::detail {
namespace {

bool mirrors_columns(int orientation) {
  return orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
}

bool mirrors_rows(int orientation) {
  return orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
}

/// Reads unsigned numbers of a TIFF block in its own byte order; 0 beyond its end.
class TiffReader {
 public:
  explicit TiffReader(std::span<const std::byte> bytes)
      : bytes_(bytes), little_(bytes.size() > 1 && bytes[0] == std::byte{'I'}) {}

  uint32_t number(size_t at, size_t count) const {
    if (at > bytes_.size() || bytes_.size() - at < count) return 0;
    uint32_t value = 0;
    for (size_t i = 0; i < count; ++i) {
      const size_t from = at + (little_ ? count - 1 - i : i);
      value = value << 8 | std::to_integer<uint32_t>(bytes_[from]);
    }
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
  bool little_;
};

}  // namespace

int tiff_orientation(std::span<const std::byte> tiff) {
  constexpr uint32_t kOrientationTag = 0x0112;
  constexpr size_t kEntryBytes = 12;
  const TiffReader reader(tiff);
  if (reader.number(2, 2) != 42) return 1;
  const size_t directory = reader.number(4, 4);
  const size_t num_entries = reader.number(directory, 2);
  for (size_t i = 0; i < num_entries; ++i) {
    const size_t entry = directory + 2 + i * kEntryBytes;
    if (reader.number(entry, 2) != kOrientationTag) continue;
    const uint32_t value = reader.number(entry + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Region stored_region(const Region& upright, int orientation, int stored_width,
                     int stored_height) {
  Region stored = upright;
  if (swaps_axes(orientation)) {
    stored = {upright.y, upright.x, upright.height, upright.width};
  }
  if (mirrors_columns(orientation)) stored.x = stored_width - stored.x - stored.width;
  if (mirrors_rows(orientation)) stored.y = stored_height - stored.y - stored.height;
  return stored;
}

void make_upright(const Image& stored, int orientation, Image& out) {
  const bool swap = swaps_axes(orientation);
  const bool mirror_columns = mirrors_columns(orientation);
  const bool mirror_rows = mirrors_rows(orientation);
  shape(out, swap ? stored.height : stored.width, swap ? stored.width : stored.height,
        stored.channels);
  const auto channels = static_cast<size_t>(stored.channels);
  for (int y = 0; y < out.height; ++y) {
    uint8_t* to = out.row(y);
    for (int x = 0; x < out.width; ++x, to += channels) {
      const int column = swap ? y : x;
      const int row = swap ? x : y;
      const int from_column = mirror_columns ? stored.width - 1 - column : column;
      const int from_row = mirror_rows ? stored.height - 1 - row : row;
      std::copy_n(stored.row(from_row) + static_cast<size_t>(from_column) * channels,
                  channels, to);
    }
  }
}

}  // namespace stoker::data::detail
