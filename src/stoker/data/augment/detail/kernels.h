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

/// Weighted sums of neighbours along one axis, in fixed point as torchvision resizes
/// uint8: output i is the sum of weights[i][k] * input[first[i] + k], rounded, >>
/// precision.
struct Taps {
  const int32_t* first;
  const int16_t* weights;  ///< [outputs, taps]; zero beyond what an output needs.
  int taps;                ///< A multiple of 4.
  int precision;
};

/// Resizes one row of interleaved pixels. Reads `in` up to pixel first + taps, plus 4
/// bytes, and writes 1 byte more than the row when `fast`, which needs 3 channels.
void blend_columns(const uint8_t* in, int channels, const Taps& taps, size_t num_outputs,
                   bool fast, uint8_t* out);

/// Output row: the weighted sum of `num_rows` rows, `stride` bytes apart.
void blend_rows(const uint8_t* in, size_t stride, const int16_t* weights, int num_rows,
                int precision, size_t row_bytes, uint8_t* out);

}  // namespace stoker::data::detail
