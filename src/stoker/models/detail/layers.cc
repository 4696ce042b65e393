#include "stoker/models/detail/layers.h"

#include <torch/torch.h>

#include "stoker/models/detail/winograd.h"

namespace stoker::detail {

torch::Tensor ConvImpl::forward(const torch::Tensor& input) {
  if (winograd_ &&
      winograd_pays(input.sizes(), weight.sizes(), input.scalar_type(), input.device())) {
    return winograd_conv3x3(input, weight);
  }
  return Conv2dImpl::forward(input);
}

void ConvImpl::allow_winograd(bool allowed) {
  const auto* padding = std::get_if<torch::ExpandingArray<2>>(&options.padding());
  const bool plain = padding != nullptr && (*padding)->at(0) == 1 &&
                     (*padding)->at(1) == 1 && options.stride()->at(0) == 1 &&
                     options.stride()->at(1) == 1 && options.dilation()->at(0) == 1 &&
                     options.dilation()->at(1) == 1 && options.groups() == 1 &&
                     !options.bias();
  winograd_ = allowed && plain;
}

Conv conv(int64_t in, int64_t out, int64_t kernel, int64_t stride) {
  return Conv(torch::nn::Conv2dOptions(in, out, kernel)
                  .stride(stride)
                  .padding(kernel / 2)
                  .bias(false));
}

void allow_winograd(torch::nn::Module& module, bool allowed) {
  for (const auto& child : module.modules(/*include_self=*/false)) {
    if (auto* convolution = dynamic_cast<ConvImpl*>(child.get())) {
      convolution->allow_winograd(allowed);
    }
  }
}

void kaiming_initialise(torch::nn::Module& module) {
  for (const auto& child : module.modules(/*include_self=*/false)) {
    if (auto* convolution = dynamic_cast<torch::nn::Conv2dImpl*>(child.get())) {
      torch::nn::init::kaiming_normal_(convolution->weight, 0, torch::kFanOut,
                                       torch::kReLU);
    }
  }
}

}  // namespace stoker::detail
