#pragma once

#include <cstddef>
#include <span>

#include "stoker/data/codecs/image.h"

namespace stoker::data::detail {

/// Orientation (1..8, tag 0x0112) of a TIFF block as EXIF holds it; 1 when there is none
/// or the block is damaged.
int tiff_orientation(std::span<const std::byte> tiff);

/// True for the orientations that make rows of columns.
inline bool swaps_axes(int orientation) { return orientation >= 5; }

/// Where a region of the upright image lies in the stored image.
Region stored_region(const Region& upright, int orientation, int stored_width,
                     int stored_height);

/// Turns and mirrors the stored pixels.
void make_upright(const Image& stored, int orientation, Image& out);

}  // namespace stoker::data::detail
