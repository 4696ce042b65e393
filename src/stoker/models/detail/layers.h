#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/conv.h>

#include <cstdint>

namespace stoker::detail {

/// A convolution that may go Winograd's way where that is faster: other roundings, the
/// same weights.
class ConvImpl : public torch::nn::Conv2dImpl {
 public:
  using Conv2dImpl::Conv2dImpl;
  torch::Tensor forward(const torch::Tensor& input);
  void allow_winograd(bool allowed);

 private:
  bool winograd_ = false;
};
TORCH_MODULE(Conv);

/// A convolution without bias and with "same" padding (k / 2).
Conv conv(int64_t in, int64_t out, int64_t kernel, int64_t stride);

/// Sets it for all convolutions of `module`.
void allow_winograd(torch::nn::Module& module, bool allowed);

/// Convolutions normal with variance 2 / fan-out (He et al., "Delving deep into
/// rectifiers", ICCV 2015), as torchvision's ResNets; the rest keeps LibTorch's defaults.
void kaiming_initialise(torch::nn::Module& module);

}  // namespace stoker::detail
