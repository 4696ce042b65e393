#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/conv.h>

#include <cstdint>

namespace stoker::detail {

/// A convolution without bias and with "same" padding (k / 2).
torch::nn::Conv2d conv(int64_t in, int64_t out, int64_t kernel, int64_t stride);

/// Convolutions normal with variance 2 / fan-out (He et al., "Delving deep into
/// rectifiers", ICCV 2015), as torchvision's ResNets; the rest keeps LibTorch's defaults.
void kaiming_initialise(torch::nn::Module& module);

}  // namespace stoker::detail
