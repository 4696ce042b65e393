#pragma once

#include <cstddef>
#include <cstdint>

namespace stoker::data::detail {

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
