#pragma once

#include <cstddef>
#include <cstdint>

namespace stoker::data::detail {

/// (299 R + 587 G + 114 B) / 1000, rounded.
void rgb_to_grey(const uint8_t* rgb, size_t num_pixels, uint8_t* grey);

/// Inverted CMYK, as Adobe's programs write it into JPEG files and as Pillow reads every
/// four-channel JPEG, to RGB. May work in place.
void inverted_cmyk_to_rgb(const uint8_t* cmyk, size_t num_pixels, uint8_t* rgb);

}  // namespace stoker::data::detail
