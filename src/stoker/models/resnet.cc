#include "stoker/models/resnet.h"

#include <torch/torch.h>

#include <array>
#include <string>

#include "stoker/config/reader.h"
#include "stoker/models/detail/layers.h"

namespace stoker {

namespace {
namespace nn = torch::nn;
using detail::conv;

/// A residual block; which convolutions it holds is its kind.
class Block : public nn::Module {
 public:
  virtual torch::Tensor forward(const torch::Tensor& input) = 0;

 protected:
  torch::Tensor shortcut(const torch::Tensor& input) {
    return downsample_ ? downsample_->forward(input) : input;
  }
  void make_downsample(int64_t in, int64_t out, int64_t stride) {
    if (stride == 1 && in == out) return;
    downsample_ = register_module(
        "downsample", nn::Sequential(conv(in, out, 1, stride), nn::BatchNorm2d(out)));
  }
  nn::Sequential downsample_{nullptr};
};

class BasicBlock : public Block {
 public:
  static constexpr int64_t kExpansion = 1;
  BasicBlock(int64_t in, int64_t width, int64_t stride) {
    conv1_ = register_module("conv1", conv(in, width, 3, stride));
    bn1_ = register_module("bn1", nn::BatchNorm2d(width));
    conv2_ = register_module("conv2", conv(width, width, 3, 1));
    bn2_ = register_module("bn2", nn::BatchNorm2d(width));
    make_downsample(in, width, stride);
  }
  torch::Tensor forward(const torch::Tensor& input) override {
    auto x = bn1_(conv1_(input)).relu_();
    x = bn2_(conv2_(x));
    return (x += shortcut(input)).relu_();
  }

 private:
  detail::Conv conv1_{nullptr}, conv2_{nullptr};
  nn::BatchNorm2d bn1_{nullptr}, bn2_{nullptr};
};

class Bottleneck : public Block {
 public:
  static constexpr int64_t kExpansion = 4;
  Bottleneck(int64_t in, int64_t width, int64_t stride) {
    conv1_ = register_module("conv1", conv(in, width, 1, 1));
    bn1_ = register_module("bn1", nn::BatchNorm2d(width));
    conv2_ = register_module("conv2", conv(width, width, 3, stride));
    bn2_ = register_module("bn2", nn::BatchNorm2d(width));
    conv3_ = register_module("conv3", conv(width, width * kExpansion, 1, 1));
    bn3_ = register_module("bn3", nn::BatchNorm2d(width * kExpansion));
    make_downsample(in, width * kExpansion, stride);
  }
  torch::Tensor forward(const torch::Tensor& input) override {
    auto x = bn1_(conv1_(input)).relu_();
    x = bn2_(conv2_(x)).relu_();
    x = bn3_(conv3_(x));
    return (x += shortcut(input)).relu_();
  }

 private:
  detail::Conv conv1_{nullptr}, conv2_{nullptr}, conv3_{nullptr};
  nn::BatchNorm2d bn1_{nullptr}, bn2_{nullptr}, bn3_{nullptr};
};

struct Stage {
  int64_t width;
  int64_t blocks;
  int64_t stride;
};

template <typename BlockType>
class ResNet : public Model {
 public:
  ResNet(const std::array<int64_t, 4>& blocks, int64_t classes, int64_t channels,
         bool cifar_stem)
      : pooled_stem_(!cifar_stem) {
    conv1_ = register_module(
        "conv1", cifar_stem ? conv(channels, 64, 3, 1) : conv(channels, 64, 7, 2));
    bn1_ = register_module("bn1", nn::BatchNorm2d(64));
    int64_t in = 64;
    for (size_t i = 0; i < 4; ++i) {
      const Stage stage{int64_t{64} << i, blocks[i], i == 0 ? 1 : 2};
      nn::Sequential layer;
      for (int64_t b = 0; b < stage.blocks; ++b) {
        layer->push_back(
            std::make_shared<BlockType>(in, stage.width, b == 0 ? stage.stride : 1));
        in = stage.width * BlockType::kExpansion;
      }
      layers_[i] = register_module("layer" + std::to_string(i + 1), layer);
    }
    fc_ = register_module("fc", nn::Linear(in, classes));
    detail::kaiming_initialise(*this);
  }

  torch::Tensor forward(const torch::Tensor& input) override {
    auto x = bn1_(conv1_(input)).relu_();
    if (pooled_stem_) x = torch::max_pool2d(x, 3, 2, 1);
    for (auto& layer : layers_) x = layer->forward(x);
    return fc_(torch::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
  }

 private:
  bool pooled_stem_;
  detail::Conv conv1_{nullptr};
  nn::BatchNorm2d bn1_{nullptr};
  std::array<nn::Sequential, 4> layers_{nullptr, nullptr, nullptr, nullptr};
  nn::Linear fc_{nullptr};
};

template <typename BlockType>
std::shared_ptr<Model> make_resnet(const ModelSpec& spec,
                                   const std::array<int64_t, 4>& blocks) {
  std::string stem = "imagenet";
  config::Reader reader(spec.params, "model");
  reader.read_choice("stem", stem, {"imagenet", "cifar"});
  reader.finish();
  return std::make_shared<ResNet<BlockType>>(blocks, spec.classes, spec.channels,
                                             stem == "cifar");
}
}  // namespace

std::shared_ptr<Model> make_resnet18(const ModelSpec& spec) {
  return make_resnet<BasicBlock>(spec, {2, 2, 2, 2});
}
std::shared_ptr<Model> make_resnet34(const ModelSpec& spec) {
  return make_resnet<BasicBlock>(spec, {3, 4, 6, 3});
}
std::shared_ptr<Model> make_resnet50(const ModelSpec& spec) {
  return make_resnet<Bottleneck>(spec, {3, 4, 6, 3});
}

}  // namespace stoker
