#pragma once

#include <cstddef>
#include <cstdint>

namespace stoker::data::detail {

// Kernels on the colours of interleaved RGB bytes, in place. The grey of a colour is
// floor(0.2989 R + 0.587 G + 0.114 B), as torchvision's. The same bits on every kind of
// CPU.

uint64_t sum_of_greys(const uint8_t* rgb, size_t num_pixels);

/// v becomes share * v + grey_share * grey, cut to a byte.
void blend_with_grey(uint8_t* rgb, size_t num_pixels, float share, float grey_share);

/// Turns the hue by `turn` of the colour circle, from -0.5 to 0.5.
void turn_hue(uint8_t* rgb, size_t num_pixels, float turn);

}  // namespace stoker::data::detail
