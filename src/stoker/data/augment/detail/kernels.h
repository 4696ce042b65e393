#pragma once

#include <cstddef>
#include <cstdint>

namespace stoker::data::detail {

/// Length after which the constants of `to_floats` repeat: a multiple of 1 and 3 channels
/// and of every vector length up to 16.
constexpr size_t kPeriod = 48;

/// out[i] = (in[i] - mean[i % 48]) * scale[i % 48], the same bits on every kind of CPU.
void to_floats(const uint8_t* in, size_t count, const float* mean, const float* scale,
               float* out);

/// One row of RGB pixels to one row in each of three planes, `plane_floats` apart:
/// out[c][i] = (in[3 i + c] - mean[c]) * scale[c].
void to_float_planes(const uint8_t* rgb, size_t num_pixels, const float* mean,
                     const float* scale, size_t plane_floats, float* out);

/// Pixels in the opposite order; `out` must not overlap `in`.
void reverse_pixels(const uint8_t* in, size_t num_pixels, size_t channels, uint8_t* out);

}  // namespace stoker::data::detail
