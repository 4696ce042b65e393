#include "stoker/models/detail/winograd.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>
#include <torch/torch.h>

#include <string>

#include "stoker/models/detail/layers.h"

namespace stoker::detail {
namespace {
using torch::Tensor;

struct Shape {
  int64_t images, in, out, height, width;
};

struct Outcome {
  Tensor output, input_grad, weight_grad;
};

template <typename Convolution>
Outcome outcome_of(const Convolution& convolution, const Tensor& input,
                   const Tensor& weight, const Tensor& grad) {
  const Tensor x = input.detach().requires_grad_();
  const Tensor w = weight.detach().requires_grad_();
  const Tensor y = convolution(x, w);
  const auto grads = torch::autograd::grad({y}, {x, w}, {grad});
  return {y.detach(), grads[0], grads[1]};
}

Tensor direct(const Tensor& input, const Tensor& weight) {
  return torch::conv2d(input, weight, {}, 1, 1);
}

/// Unit normal data in the layout of a convolution of this shape.
struct Sample {
  explicit Sample(const Shape& s)
      : input(torch::randn({s.images, s.in, s.height, s.width})),
        weight(torch::randn({s.out, s.in, 3, 3})),
        grad(torch::randn({s.images, s.out, s.height, s.width})) {}

  Outcome ours() const { return outcome_of(winograd_conv3x3, input, weight, grad); }
  Outcome exact() const {
    return outcome_of(direct, input.to(torch::kFloat64), weight.to(torch::kFloat64),
                      grad.to(torch::kFloat64));
  }
  Tensor input, weight, grad;
};

/// Largest error over the largest value.
double error_of(const Tensor& value, const Tensor& exact) {
  EXPECT_EQ(value.sizes(), exact.sizes());
  return ((value.to(torch::kFloat64) - exact).abs().max() / exact.abs().max())
      .item<double>();
}

void expect_close(const Outcome& outcome, const Outcome& exact, const std::string& what) {
  // Measured up to 5e-6, with 512 channels.
  constexpr double kTolerance = 2e-5;
  EXPECT_LE(error_of(outcome.output, exact.output), kTolerance) << what;
  EXPECT_LE(error_of(outcome.input_grad, exact.input_grad), kTolerance) << what;
  EXPECT_LE(error_of(outcome.weight_grad, exact.weight_grad), kTolerance) << what;
}

void expect_same_bits(const Outcome& a, const Outcome& b) {
  EXPECT_TRUE(torch::equal(a.output, b.output));
  EXPECT_TRUE(torch::equal(a.input_grad, b.input_grad));
  EXPECT_TRUE(torch::equal(a.weight_grad, b.weight_grad));
}

class Threads {
 public:
  explicit Threads(int count) : before_(torch::get_num_threads()) {
    torch::set_num_threads(count);
  }
  ~Threads() { torch::set_num_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

class Winograd : public testing::TestWithParam<Shape> {};

TEST_P(Winograd, GivesTheConvolutionAndItsGradients) {
  const Shape& shape = GetParam();
  torch::manual_seed(1);
  const Sample sample(shape);
  expect_close(sample.ours(), sample.exact(), "");
}

INSTANTIATE_TEST_SUITE_P(Shapes, Winograd,
                         testing::Values(Shape{1, 1, 1, 1, 1}, Shape{1, 3, 10, 1, 1},
                                         Shape{3, 24, 10, 3, 3}, Shape{1, 10, 3, 17, 17},
                                         Shape{2, 24, 64, 31, 31}, Shape{5, 17, 33, 5, 7},
                                         Shape{300, 16, 48, 4, 4},
                                         Shape{9, 64, 64, 15, 15},
                                         Shape{16, 256, 256, 7, 7},
                                         Shape{4, 512, 512, 4, 4}),
                         [](const auto& test) {
                           const Shape& s = test.param;
                           return std::to_string(s.in) + "to" + std::to_string(s.out) +
                                  "at" + std::to_string(s.height) + "x" +
                                  std::to_string(s.width);
                         });

TEST(WinogradSizes, AllUpTo17By17) {
  torch::manual_seed(2);
  for (int64_t height = 1; height <= 17; ++height) {
    for (const int64_t width : {height, 18 - height}) {
      const Sample sample({2, 5, 9, height, width});
      expect_close(sample.ours(), sample.exact(),
                   std::to_string(height) + " x " + std::to_string(width));
    }
  }
}

TEST(WinogradBits, AreTheSameAgainAndInEveryMemoryFormat) {
  torch::manual_seed(3);
  Sample sample({40, 24, 40, 9, 9});
  const Outcome first = sample.ours();
  expect_same_bits(sample.ours(), first);
  for (Tensor* tensor : {&sample.input, &sample.weight, &sample.grad}) {
    *tensor = tensor->contiguous(torch::MemoryFormat::ChannelsLast);
    expect_same_bits(sample.ours(), first);
  }
  sample.input = sample.input.transpose(2, 3).contiguous().transpose(2, 3);
  expect_same_bits(sample.ours(), first);
  EXPECT_TRUE(first.output.is_contiguous(torch::MemoryFormat::ChannelsLast));
}

// With more threads than tiles, threads share a tile's points.
TEST(WinogradThreads, OfAnyNumberGiveTheResult) {
  torch::manual_seed(4);
  for (const int64_t images : {1, 20, 300}) {
    const Sample sample({images, 20, 36, 6, 6});
    const Outcome exact = sample.exact();
    for (const int threads : {1, 2, 3, 5}) {
      const Threads guard(threads);
      const Outcome outcome = sample.ours();
      expect_close(outcome, exact, std::to_string(threads) + " threads");
      expect_same_bits(sample.ours(), outcome);
    }
  }
}

TEST(WinogradTargets, OfEveryKindOfThisCpuGiveTheResult) {
  torch::manual_seed(5);
  const Sample sample({3, 27, 44, 7, 10});
  const Outcome exact = sample.exact();
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::GetChosenTarget().Update(target);
    expect_close(sample.ours(), exact, hwy::TargetName(target));
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(WinogradGradients, AreOnlyThoseAskedFor) {
  const Sample sample({2, 8, 8, 6, 6});
  const Outcome exact = sample.exact();
  const Tensor weight = sample.weight.detach().requires_grad_();
  winograd_conv3x3(sample.input, weight).backward(sample.grad);
  EXPECT_FALSE(sample.input.grad().defined());
  EXPECT_LE(error_of(weight.grad(), exact.weight_grad), 2e-5);

  const Tensor input = sample.input.detach().requires_grad_();
  winograd_conv3x3(input, sample.weight).backward(sample.grad);
  EXPECT_FALSE(sample.weight.grad().defined());
  EXPECT_LE(error_of(input.grad(), exact.input_grad), 2e-5);

  EXPECT_FALSE(winograd_conv3x3(sample.input, sample.weight).requires_grad());
}

TEST(WinogradErrors, SayWhatIsNotComputed) {
  const auto message_of = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const c10::Error& error) {
      return error.what_without_backtrace();
    }
    return "";
  };
  const Tensor input = torch::randn({1, 4, 5, 5}).requires_grad_();
  const Tensor weight = torch::randn({6, 4, 3, 3});
  const auto expect_refused = [&](const Tensor& x, const Tensor& w) {
    EXPECT_NE(
        message_of([&] { winograd_conv3x3(x, w); }).find("[winograd] expected float32"),
        std::string::npos);
  };
  expect_refused(input, torch::randn({6, 4, 5, 5}));
  expect_refused(input, torch::randn({6, 5, 3, 3}));
  expect_refused(input[0], weight);
  expect_refused(input.to(torch::kFloat64), weight);
  expect_refused(input, weight.to(torch::kBFloat16));
  expect_refused(input.narrow(0, 0, 0), weight);
  const auto twice = [&] {
    const Tensor sum = winograd_conv3x3(input, weight).square().sum();
    torch::autograd::grad({sum}, {input}, {}, /*retain_graph=*/true,
                          /*create_graph=*/true);
  };
  EXPECT_NE(message_of(twice).find("without create_graph"), std::string::npos);
}

TEST(WinogradPays, WhereItWasMeasuredFaster) {
  const auto pays = [](torch::IntArrayRef input, torch::IntArrayRef weight,
                       torch::ScalarType dtype = torch::kFloat32,
                       torch::Device device = torch::kCPU) {
    return winograd_pays(input, weight, dtype, device);
  };
  EXPECT_TRUE(pays({128, 64, 32, 32}, {64, 64, 3, 3}));
  EXPECT_TRUE(pays({128, 512, 4, 4}, {512, 512, 3, 3}));
  EXPECT_TRUE(pays({1000, 256, 3, 3}, {256, 256, 3, 3}));
  EXPECT_TRUE(pays({128, 32, 16, 16}, {32, 32, 3, 3}));
  EXPECT_FALSE(pays({128, 16, 32, 32}, {16, 16, 3, 3}));
  EXPECT_FALSE(pays({128, 3, 32, 32}, {64, 3, 3, 3}));
  EXPECT_FALSE(pays({1000, 256, 1, 1}, {256, 256, 3, 3}));
  EXPECT_FALSE(pays({1000, 64, 5, 5}, {64, 64, 3, 3}));
  EXPECT_FALSE(pays({1, 512, 4, 4}, {512, 512, 3, 3}));
  EXPECT_FALSE(pays({128, 64, 32, 32}, {64, 64, 1, 1}));
  EXPECT_FALSE(pays({128, 64, 32, 32}, {64, 32, 3, 3}));  // Two groups.
  EXPECT_FALSE(pays({128, 64, 32, 32}, {64, 64, 3, 3}, torch::kBFloat16));
  EXPECT_FALSE(pays({128, 64, 32, 32}, {64, 64, 3, 3}, torch::kFloat32, torch::kCUDA));
}

TEST(ConvLayer, GoesWinogradsWayOnlyWhereItIsAllowedAndPlain) {
  const auto images = torch::randn({20, 32, 8, 8});
  for (const int64_t stride : {1, 2}) {
    auto layer = conv(32, 32, 3, stride);
    const Tensor direct = layer->forward(images);
    layer->allow_winograd(true);
    const Tensor allowed = layer->forward(images);
    EXPECT_TRUE(allowed.allclose(direct, 1e-3, 1e-4));
    EXPECT_EQ(allowed.equal(direct), stride == 2) << "stride " << stride;
  }
}

}  // namespace
}  // namespace stoker::detail
