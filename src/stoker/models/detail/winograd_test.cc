#include "stoker/models/detail/winograd.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <array>
#include <vector>

#include "stoker/models/detail/layers.h"

namespace stoker::detail {
namespace {
using torch::Tensor;

/// Result and both gradients.
using Results = std::array<Tensor, 3>;

struct Case {
  int64_t images, in, out, height, width;
};

/// Largest error over largest value; fp32 has 1.2e-7, the transforms lose about two
/// decimals of it.
constexpr double kTolerance = 3e-5;

Results results(const Tensor& input, const Tensor& weight, const Tensor& upstream,
                bool winograd) {
  const Tensor x = input.detach().clone().requires_grad_();
  const Tensor w = weight.detach().clone().requires_grad_();
  const Tensor y = winograd ? winograd_conv3x3(x, w) : torch::conv2d(x, w, {}, 1, 1);
  y.backward(upstream);
  return {y.detach(), x.grad(), w.grad()};
}

double error(const Tensor& got, const Tensor& expected) {
  return ((got.to(torch::kFloat64) - expected).abs().max() / expected.abs().max())
      .item<double>();
}

void expect_like_direct(const Case& c, torch::MemoryFormat format) {
  torch::manual_seed(7);
  const auto input = torch::randn({c.images, c.in, c.height, c.width}).contiguous(format);
  const auto weight = torch::randn({c.out, c.in, 3, 3}).contiguous(format);
  const auto upstream =
      torch::randn({c.images, c.out, c.height, c.width}).contiguous(format);
  const auto got = results(input, weight, upstream, true);
  const auto expected = results(input.to(torch::kFloat64), weight.to(torch::kFloat64),
                                upstream.to(torch::kFloat64), false);
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].sizes(), expected[i].sizes());
    EXPECT_LT(error(got[i], expected[i]), kTolerance)
        << "part " << i << " of " << c.images << " images " << c.height << "x" << c.width
        << ", " << c.in << " to " << c.out << " channels";
  }
}

TEST(Winograd, IsTheDirectConvolutionAndItsGradients) {
  const std::vector<Case> cases{
      {1, 3, 10, 1, 1},    {1, 16, 16, 1, 7},   {2, 24, 24, 5, 7},   {1, 10, 3, 17, 17},
      {3, 64, 64, 31, 31}, {2, 40, 72, 15, 15}, {5, 17, 33, 4, 4},   {7, 16, 48, 3, 3},
      {1, 33, 16, 2, 13},  {9, 64, 32, 8, 8},   {4, 128, 128, 6, 6}, {70, 32, 16, 10, 9}};
  for (const Case& c : cases) {
    expect_like_direct(c, torch::MemoryFormat::ChannelsLast);
    expect_like_direct(c, torch::MemoryFormat::Contiguous);
  }
}

TEST(Winograd, GivesTheSameBitsAgain) {
  torch::manual_seed(3);
  const auto input = torch::randn({20, 32, 15, 15});
  const auto weight = torch::randn({48, 32, 3, 3});
  const auto upstream = torch::randn({20, 48, 15, 15});
  const auto first = results(input, weight, upstream, true);
  const auto second = results(input, weight, upstream, true);
  for (size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(first[i].equal(second[i]));
}

TEST(Winograd, LeavesOutTheGradientThatNobodyWants) {
  const auto input = torch::randn({2, 16, 8, 8});
  auto weight = torch::randn({16, 16, 3, 3}, torch::requires_grad());
  winograd_conv3x3(input, weight).sum().backward();
  EXPECT_FALSE(input.grad().defined());
  EXPECT_TRUE(weight.grad().defined());
}

TEST(Winograd, RefusesOtherShapes) {
  EXPECT_THROW(winograd_conv3x3(torch::randn({1, 4, 8, 8}), torch::randn({4, 3, 3, 3})),
               c10::Error);
  EXPECT_THROW(winograd_conv3x3(torch::randn({1, 4, 8, 8}), torch::randn({4, 4, 5, 5})),
               c10::Error);
}

TEST(Winograd, IsForFloatImagesWithManyChannelsOnly) {
  const auto images = torch::randn({2, 32, 8, 8});
  EXPECT_TRUE(winograd_pays(images, torch::randn({32, 32, 3, 3})));
  EXPECT_FALSE(winograd_pays(images, torch::randn({32, 32, 1, 1})));
  EXPECT_FALSE(winograd_pays(torch::randn({2, 3, 8, 8}), torch::randn({64, 3, 3, 3})));
  EXPECT_FALSE(winograd_pays(images.to(torch::kFloat64),
                             torch::randn({32, 32, 3, 3}).to(torch::kFloat64)));
  EXPECT_FALSE(winograd_pays(torch::empty({0, 32, 8, 8}), torch::randn({32, 32, 3, 3})));
}

TEST(Winograd, StandsInForPlainConvolutionsAlone) {
  const auto images = torch::randn({2, 32, 8, 8});
  for (const int64_t stride : {1, 2}) {
    auto layer = conv(32, 32, 3, stride);
    const auto direct = layer->forward(images);
    layer->allow_winograd(true);
    const auto allowed = layer->forward(images);
    EXPECT_TRUE(allowed.allclose(direct, 1e-3, 1e-4));
    EXPECT_EQ(allowed.equal(direct), stride == 2) << "stride " << stride;
  }
}

}  // namespace
}  // namespace stoker::detail
