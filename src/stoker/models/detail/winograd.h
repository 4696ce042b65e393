#pragma once

#include <torch/types.h>

namespace stoker::detail {

/// A 3x3 convolution with stride 1, padding 1 and neither groups nor bias, computed by
/// Winograd's F(4x4, 3x3): a quarter of the multiplications, at about ten times the
/// rounding error of a direct convolution (some 1e-6 of the largest output).
///
/// `input` is `[N, C, H, W]`, `weight` `[K, C, 3, 3]`, both float32 on the CPU in any
/// memory format; the result `[N, K, H, W]` is channels_last. Differentiable once. The
/// same arguments and number of threads give the same bits.
torch::Tensor winograd_conv3x3(const torch::Tensor& input, const torch::Tensor& weight);

/// Whether `winograd_conv3x3` can compute this convolution and was measured faster,
/// forward and backward together, than LibTorch's (benchmarks/winograd_bench.cc).
bool winograd_pays(torch::IntArrayRef input_sizes, torch::IntArrayRef weight_sizes,
                   torch::ScalarType dtype, torch::Device device);

}  // namespace stoker::detail
