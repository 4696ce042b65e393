#include "stoker/models/fast_net.h"

#include <torch/torch.h>

#include <array>
#include <string>
#include <vector>

#include "stoker/config/reader.h"
#include "stoker/models/detail/layers.h"

namespace stoker {

namespace {
namespace nn = torch::nn;
using detail::conv;

constexpr int64_t kWhiteningKernel = 2;
constexpr int64_t kInitialSamples = 2000;

/// Batch norm with a fixed scale of one and quick running statistics.
nn::BatchNorm2d quick_norm(int64_t channels) {
  nn::BatchNorm2d norm(nn::BatchNorm2dOptions(channels).momentum(0.4).eps(1e-12));
  norm->weight.set_requires_grad(false);
  return norm;
}

/// The first `in` output channels copy their input: a signal passes an untrained network.
void identity_initialise(detail::Conv& convolution) {
  const torch::NoGradGuard no_grad;
  auto& weight = convolution->weight;
  const int64_t copied = std::min(weight.size(0), weight.size(1));
  nn::init::dirac_(weight.narrow(0, 0, copied));
}

class ConvGroup : public nn::Module {
 public:
  ConvGroup(int64_t in, int64_t out) {
    conv1_ = register_module("conv1", conv(in, out, 3, 1));
    norm1_ = register_module("norm1", quick_norm(out));
    conv2_ = register_module("conv2", conv(out, out, 3, 1));
    norm2_ = register_module("norm2", quick_norm(out));
    identity_initialise(conv1_);
    identity_initialise(conv2_);
  }
  torch::Tensor forward(const torch::Tensor& input) {
    auto x = torch::gelu(norm1_(torch::max_pool2d(conv1_(input), 2)));
    return torch::gelu(norm2_(conv2_(x)));
  }

 private:
  detail::Conv conv1_{nullptr}, conv2_{nullptr};
  nn::BatchNorm2d norm1_{nullptr}, norm2_{nullptr};
};

class FastNet : public Model {
 public:
  FastNet(const std::vector<int64_t>& widths, double scale, double whitening_epsilon,
          int64_t classes, int64_t channels)
      : scale_(scale), whitening_epsilon_(whitening_epsilon) {
    const int64_t whitened = 2 * channels * kWhiteningKernel * kWhiteningKernel;
    whiten_ = register_module(
        "whiten",
        nn::Conv2d(nn::Conv2dOptions(channels, whitened, kWhiteningKernel).bias(false)));
    whiten_->weight.set_requires_grad(false);
    // Four dimensions: it is trained like a weight, not with the rate of norm and bias.
    whiten_bias_ = register_parameter("whiten_bias", torch::zeros({1, whitened, 1, 1}));
    int64_t in = whitened;
    for (size_t i = 0; i < 3; ++i) {
      groups_[i] = register_module("group" + std::to_string(i + 1),
                                   std::make_shared<ConvGroup>(in, widths[i]));
      in = widths[i];
    }
    head_ =
        register_module("head", nn::Linear(nn::LinearOptions(in, classes).bias(false)));
  }

  torch::Tensor forward(const torch::Tensor& input) override {
    auto x = torch::gelu(torch::conv2d(input, whiten_->weight, whiten_bias_.flatten()));
    for (auto& group : groups_) x = group->forward(x);
    return head_(x.amax({2, 3})) * scale_;
  }

  int64_t num_initial_samples() const override { return kInitialSamples; }

  /// Eigenvectors of the covariance of 2x2 patches, scaled to unit variance, and their
  /// negatives.
  void initialise(const torch::Tensor& images) override {
    const torch::NoGradGuard no_grad;
    const auto patches = torch::nn::functional::unfold(
                             images.contiguous(),
                             torch::nn::functional::UnfoldFuncOptions(kWhiteningKernel))
                             .transpose(1, 2)
                             .flatten(0, 1)
                             .to(torch::kFloat64);
    const auto covariance =
        patches.t().mm(patches) / static_cast<double>(patches.size(0));
    const auto [values, vectors] = torch::linalg_eigh(covariance);
    const auto scaled = vectors.t() / (values + whitening_epsilon_).sqrt().unsqueeze(1);
    const auto both = torch::cat({scaled, -scaled}).view_as(whiten_->weight);
    whiten_->weight.copy_(both);
  }

 private:
  double scale_;
  double whitening_epsilon_;
  nn::Conv2d whiten_{nullptr};
  torch::Tensor whiten_bias_;
  std::array<std::shared_ptr<ConvGroup>, 3> groups_;
  nn::Linear head_{nullptr};
};
}  // namespace

std::shared_ptr<Model> make_fast_net(const ModelSpec& spec) {
  std::vector<double> widths{64, 256, 256};
  double scale = 1.0 / 9;
  double whitening_epsilon = 5e-4;
  config::Reader reader(spec.params, "model");
  reader.read("widths", widths, {1, 4096});
  reader.read("scale", scale, {1e-6, 1e6});
  reader.read("whitening_epsilon", whitening_epsilon, {0, 1e3});
  reader.finish();
  if (widths.size() != 3) reader.fail("widths", "three numbers of channels");
  std::vector<int64_t> whole;
  for (const double width : widths) {
    if (width != static_cast<double>(static_cast<int64_t>(width))) {
      reader.fail("widths", "whole numbers of channels");
    }
    whole.push_back(static_cast<int64_t>(width));
  }
  return std::make_shared<FastNet>(whole, scale, whitening_epsilon, spec.classes,
                                   spec.channels);
}

}  // namespace stoker
