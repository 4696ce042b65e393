#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace stoker::data::detail {

// Kernels that look at more than one pixel. The same bits on every kind of CPU.

/// sum[i] += weight * in[i]
void add_scaled(const uint8_t* in, size_t count, float weight, float* sum);

/// out[i]: the sum of weights[k] * in[i + k * step], rounded, halves to even.
void convolve(const float* in, size_t step, std::span<const float> weights, size_t count,
              uint8_t* out);

/// out[i]: in[i] moved by `share` towards the average of its 3x3 neighbours (5 parts of
/// 13 in the middle), cut to a byte. Neighbours are `step` and `row_bytes` away.
void sharpen(const uint8_t* in, size_t row_bytes, size_t step, float share, size_t count,
             uint8_t* out);

}  // namespace stoker::data::detail
