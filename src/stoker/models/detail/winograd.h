#pragma once

#include <torch/types.h>

namespace stoker::detail {

/// Whether `winograd_conv3x3` computes this faster than `torch::conv2d`: fp32 on the CPU,
/// 3x3, and channels enough for the transforms to be repaid.
bool winograd_pays(const torch::Tensor& input, const torch::Tensor& weight);

/// A 3x3 convolution with stride 1 and padding 1: `input` [N, C, H, W], `weight`
/// [K, C, 3, 3], the result [N, K, H, W] in channels_last memory. 4x4 outputs at once
/// from 36 instead of 144 products (Lavin and Gray, "Fast algorithms for convolutional
/// neural networks", CVPR 2016), in both directions; differentiable once.
torch::Tensor winograd_conv3x3(const torch::Tensor& input, const torch::Tensor& weight);

}  // namespace stoker::detail
