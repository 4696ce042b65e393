// Our 3x3 convolution against LibTorch's, forward and backward, in turns: for each shape
// the median and the quartiles of their time over ours. winograd_bench [ROUNDS]
#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "stoker/base/clock.h"
#include "stoker/models/detail/winograd.h"
#include "stoker/runtime/memory.h"

namespace {
using namespace stoker;  // NOLINT(google-build-using-namespace)
using torch::Tensor;

struct Shape {
  int64_t images, in, out, side;
};

// Of fast_net with 1,000 images and of ResNet-18 (CIFAR stem) with 128.
constexpr Shape kShapes[] = {
    {1000, 24, 64, 31},  {1000, 64, 64, 15},  {1000, 64, 256, 15},
    {1000, 256, 256, 7}, {1000, 256, 256, 3}, {128, 64, 64, 32},
    {128, 128, 128, 16}, {128, 256, 256, 8},  {128, 512, 512, 4}};

double seconds(const Tensor& input, const Tensor& weight, const Tensor& upstream,
               bool ours) {
  input.mutable_grad() = {};
  weight.mutable_grad() = {};
  const Stopwatch watch;
  const Tensor output = ours ? detail::winograd_conv3x3(input, weight)
                             : torch::conv2d(input, weight, {}, 1, 1);
  output.backward(upstream);
  return watch.seconds();
}

void compare(const Shape& shape, int rounds) {
  const auto random = [](std::vector<int64_t> sizes) {
    return torch::randn(sizes).contiguous(torch::MemoryFormat::ChannelsLast);
  };
  const Tensor input =
      random({shape.images, shape.in, shape.side, shape.side}).requires_grad_();
  const Tensor weight = random({shape.out, shape.in, 3, 3}).requires_grad_();
  const Tensor upstream = random({shape.images, shape.out, shape.side, shape.side});
  std::vector<double> ratios;
  for (int round = -1; round < rounds; ++round) {
    const double ours = seconds(input, weight, upstream, true);
    const double theirs = seconds(input, weight, upstream, false);
    if (round >= 0) ratios.push_back(theirs / ours);
  }
  std::sort(ratios.begin(), ratios.end());
  const auto at = [&](double share) {
    return ratios[static_cast<size_t>(share * static_cast<double>(ratios.size() - 1))];
  };
  std::printf("%4ld images %3ld -> %3ld channels %2ldx%-2ld  %.2f (%.2f to %.2f)\n",
              static_cast<long>(shape.images), static_cast<long>(shape.in),
              static_cast<long>(shape.out), static_cast<long>(shape.side),
              static_cast<long>(shape.side), at(0.5), at(0.25), at(0.75));
  std::fflush(stdout);
}
}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 9;
  install_memory_counter();
  std::printf("LibTorch's time over ours, %d rounds in turns, %d threads\n", rounds,
              torch::get_num_threads());
  for (const Shape& shape : kShapes) compare(shape, rounds);
}
