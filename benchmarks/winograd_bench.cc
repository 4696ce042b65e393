// Winograd's convolution against LibTorch's on the shapes of our models: alternating in
// one run, forward and both gradients. winograd_bench [REPETITIONS [IMAGES IN OUT SIDE]]
#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "stoker/base/clock.h"
#include "stoker/models/detail/winograd.h"
#include "stoker/runtime/memory.h"

namespace {
using torch::Tensor;

struct Shape {
  int64_t images, in, out, side;
};

// fast_net with 1000 images, ResNet-18 for CIFAR with 128.
constexpr Shape kShapes[] = {
    {1000, 24, 64, 31},  {1000, 64, 64, 15},  {1000, 64, 256, 15},
    {1000, 256, 256, 7}, {1000, 256, 256, 3}, {128, 64, 64, 32},
    {128, 128, 128, 16}, {128, 256, 256, 8},  {128, 512, 512, 4},
};

/// Seconds of the forward pass, the data gradient, the weight gradient and all three.
using Times = std::array<double, 4>;

struct Tensors {
  explicit Tensors(const Shape& s)
      : input(normal({s.images, s.in, s.side, s.side}).requires_grad_()),
        weight(normal({s.out, s.in, 3, 3}).requires_grad_()),
        grad(normal({s.images, s.out, s.side, s.side})) {}
  static Tensor normal(torch::IntArrayRef sizes) {
    return torch::randn(sizes).contiguous(torch::MemoryFormat::ChannelsLast);
  }
  Tensor input, weight, grad;
};

Times time_of(bool winograd, const Tensors& t) {
  Times times{};
  stoker::Stopwatch watch;
  const Tensor output = winograd ? stoker::detail::winograd_conv3x3(t.input, t.weight)
                                 : torch::conv2d(t.input, t.weight, {}, 1, 1);
  times[0] = watch.restart();
  torch::autograd::grad({output}, {t.input}, {t.grad}, /*retain_graph=*/true);
  times[1] = watch.restart();
  torch::autograd::grad({output}, {t.weight}, {t.grad}, /*retain_graph=*/true);
  times[2] = watch.restart();
  times[3] = times[0] + times[1] + times[2];
  return times;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

void compare(const Shape& s, int repetitions) {
  const Tensors tensors(s);
  time_of(true, tensors);
  time_of(false, tensors);
  std::array<std::vector<double>, 4> ratios;
  std::vector<double> ours;
  std::vector<double> theirs;
  for (int i = 0; i < repetitions; ++i) {
    const Times winograd = time_of(true, tensors);
    const Times direct = time_of(false, tensors);
    for (size_t k = 0; k < 4; ++k) ratios[k].push_back(direct[k] / winograd[k]);
    ours.push_back(winograd[3]);
    theirs.push_back(direct[3]);
  }
  const auto [least, most] = std::ranges::minmax(ratios[3]);
  const bool pays = stoker::detail::winograd_pays(
      tensors.input.sizes(), tensors.weight.sizes(), torch::kFloat32, torch::kCPU);
  std::printf(
      "%5ld %4ld -> %4ld @ %2ld  %7.2f %7.2f %7.2f %7.2f [%.2f, %.2f] %9.1f %9.1f  %s\n",
      static_cast<long>(s.images), static_cast<long>(s.in), static_cast<long>(s.out),
      static_cast<long>(s.side), median(ratios[0]), median(ratios[1]), median(ratios[2]),
      median(ratios[3]), least, most, 1e3 * median(ours), 1e3 * median(theirs),
      pays ? "yes" : "no");
  std::fflush(stdout);
}
}  // namespace

int main(int argc, char** argv) {
  stoker::install_memory_counter();
  torch::set_num_threads(2);
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 9;
  if (repetitions < 1 || (argc > 2 && argc != 6)) {
    std::fputs("usage: winograd_bench [REPETITIONS [IMAGES IN OUT SIDE]]\n", stderr);
    return 2;
  }
  std::printf("LibTorch %s, %s, %d threads, n = %d\n", TORCH_VERSION,
              at::get_cpu_capability().c_str(), torch::get_num_threads(), repetitions);
  std::puts(
      "shape                  times faster (median): forward, data, weight, all\n"
      "                       [least, most] of all; milliseconds ours, LibTorch's; "
      "winograd_pays");
  if (argc == 6) {
    compare(
        {std::atol(argv[2]), std::atol(argv[3]), std::atol(argv[4]), std::atol(argv[5])},
        repetitions);
    return 0;
  }
  for (const Shape& shape : kShapes) compare(shape, repetitions);
  return 0;
}
