#include <torch/torch.h>

#include <array>
#include <string>

#include "stoker/config/reader.h"
#include "stoker/models/detail/layers.h"
#include "stoker/models/resnet.h"

namespace stoker {

namespace {
namespace nn = torch::nn;
using detail::conv;

class CifarBlock : public nn::Module {
 public:
  CifarBlock(int64_t in, int64_t out, int64_t stride, bool projection)
      : pad_((out - in) / 2), stride_(stride) {
    conv1_ = register_module("conv1", conv(in, out, 3, stride));
    bn1_ = register_module("bn1", nn::BatchNorm2d(out));
    conv2_ = register_module("conv2", conv(out, out, 3, 1));
    bn2_ = register_module("bn2", nn::BatchNorm2d(out));
    if (projection && stride != 1) {
      downsample_ = register_module(
          "downsample", nn::Sequential(conv(in, out, 1, stride), nn::BatchNorm2d(out)));
    }
  }
  torch::Tensor forward(const torch::Tensor& input) {
    auto x = bn1_(conv1_(input)).relu_();
    x = bn2_(conv2_(x));
    return (x += shortcut(input)).relu_();
  }

 private:
  torch::Tensor shortcut(const torch::Tensor& input) {
    if (downsample_) return downsample_->forward(input);
    if (stride_ == 1) return input;
    using torch::indexing::Slice;
    const auto picked =
        input.index({Slice(), Slice(), Slice(0, torch::indexing::None, stride_),
                     Slice(0, torch::indexing::None, stride_)});
    return torch::constant_pad_nd(picked, {0, 0, 0, 0, pad_, pad_});
  }
  int64_t pad_;
  int64_t stride_;
  detail::Conv conv1_{nullptr}, conv2_{nullptr};
  nn::BatchNorm2d bn1_{nullptr}, bn2_{nullptr};
  nn::Sequential downsample_{nullptr};
};

class CifarResNet : public Model {
 public:
  CifarResNet(int64_t blocks, int64_t classes, int64_t channels, bool projection) {
    conv1_ = register_module("conv1", conv(channels, 16, 3, 1));
    bn1_ = register_module("bn1", nn::BatchNorm2d(16));
    int64_t in = 16;
    for (size_t i = 0; i < 3; ++i) {
      const int64_t out = int64_t{16} << i;
      nn::Sequential layer;
      for (int64_t b = 0; b < blocks; ++b) {
        layer->push_back(
            std::make_shared<CifarBlock>(in, out, b == 0 && i > 0 ? 2 : 1, projection));
        in = out;
      }
      layers_[i] = register_module("layer" + std::to_string(i + 1), layer);
    }
    fc_ = register_module("fc", nn::Linear(in, classes));
    detail::kaiming_initialise(*this);
  }

  torch::Tensor forward(const torch::Tensor& input) override {
    auto x = bn1_(conv1_(input)).relu_();
    for (auto& layer : layers_) x = layer->forward(x);
    return fc_(torch::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
  }

 private:
  detail::Conv conv1_{nullptr};
  nn::BatchNorm2d bn1_{nullptr};
  std::array<nn::Sequential, 3> layers_{nullptr, nullptr, nullptr};
  nn::Linear fc_{nullptr};
};

std::shared_ptr<Model> make_cifar_resnet(const ModelSpec& spec, int64_t blocks) {
  std::string shortcut = "A";
  config::Reader reader(spec.params, "model");
  reader.read_choice("shortcut", shortcut, {"A", "B"});
  reader.finish();
  return std::make_shared<CifarResNet>(blocks, spec.classes, spec.channels,
                                       shortcut == "B");
}
}  // namespace

std::shared_ptr<Model> make_resnet20(const ModelSpec& spec) {
  return make_cifar_resnet(spec, 3);
}
std::shared_ptr<Model> make_resnet56(const ModelSpec& spec) {
  return make_cifar_resnet(spec, 9);
}

}  // namespace stoker
