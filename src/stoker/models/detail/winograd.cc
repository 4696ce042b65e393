#include "stoker/models/detail/winograd.h"

#include <ATen/Parallel.h>
#include <torch/torch.h>

#include <algorithm>

#include "stoker/models/detail/winograd_kernels.h"

namespace stoker::detail {
namespace {
using torch::Tensor;
using winograd::ceil_div;
using winograd::kGroup;
using winograd::kPoints;
using winograd::kRowMultiple;
using winograd::kTaps;
using winograd::Layout;
using winograd::TileGrid;
using winograd::Tiles;

// Tiles at once: what stands between the steps must stay in a core's cache. The gradient
// of the weights reads and writes all of its sums with each block, so its blocks are
// larger.
constexpr size_t kBlock = 64;
constexpr size_t kGradientBlock = 256;

/// `body(begin, end)` on the compute threads.
template <typename Body>
void parallel(size_t count, const Body& body) {
  at::parallel_for(0, static_cast<int64_t>(count), 1, [&](int64_t begin, int64_t end) {
    body(static_cast<size_t>(begin), static_cast<size_t>(end));
  });
}

size_t threads() { return static_cast<size_t>(at::get_num_threads()); }

size_t extent(const Tensor& tensor, int64_t dimension) {
  return static_cast<size_t>(tensor.size(dimension));
}

TileGrid grid_of(const Tensor& images) {
  return {extent(images, 0), extent(images, 2), extent(images, 3), extent(images, 1)};
}

Tensor channels_last(const Tensor& tensor) {
  return tensor.contiguous(torch::MemoryFormat::ChannelsLast);
}

Tensor floats(size_t count) { return torch::empty({static_cast<int64_t>(count)}); }

/// What a tap reads outside of the image.
Tensor margin(size_t channels) {
  return torch::zeros({static_cast<int64_t>(channels + kGroup)});
}

/// The weights in memory: tap t of (row, column) stands at
/// `first + t * tap + row * row_stride + column`.
struct Weights {
  const float* first;
  ptrdiff_t tap;
  size_t row_stride;
  size_t rows;     ///< Channels that are summed over.
  size_t columns;  ///< Channels of the result.
};

struct TransformedWeights {
  Layout layout;
  Tensor data;
};

TransformedWeights transform(const Weights& weights) {
  const Layout layout{ceil_div(weights.columns, kGroup), weights.rows};
  Tensor data = floats(layout.size());
  auto* out = data.data_ptr<float>();
  parallel(layout.groups * layout.rows, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const size_t column = i / layout.rows * kGroup;
      const float* corner = weights.first + i % layout.rows * weights.row_stride + column;
      const float* taps[kTaps];
      for (size_t t = 0; t < kTaps; ++t) {
        taps[t] = corner + static_cast<ptrdiff_t>(t) * weights.tap;
      }
      winograd::transform_weight(taps, std::min(kGroup, weights.columns - column),
                                 layout.point(), out + i * kGroup);
    }
  });
  return {layout, data};
}

/// The result of `images` with `weights`, in channels_last memory.
Tensor convolve(const Tensor& images, const Weights& weights) {
  const TransformedWeights filter = transform(weights);
  const TileGrid from = grid_of(images);
  TileGrid to = from;
  to.channels = weights.columns;
  Tensor result = torch::empty(
      {images.size(0), static_cast<int64_t>(to.channels), images.size(2), images.size(3)},
      images.options(), torch::MemoryFormat::ChannelsLast);
  const size_t tiles = from.num_tiles();
  // As many blocks for each thread.
  const size_t wanted = ceil_div(ceil_div(tiles, kBlock), threads()) * threads();
  const size_t rows = ceil_div(ceil_div(tiles, wanted), kRowMultiple) * kRowMultiple;
  const Layout patches{from.groups(), rows};
  const Layout products{to.groups(), rows};
  const size_t scratch = patches.size() + products.size();
  // Rows behind the last tile are multiplied too, whatever they hold; nothing reads them.
  const Tensor memory = floats(threads() * scratch);
  const Tensor outside = margin(from.channels);
  const auto* in = images.data_ptr<float>();
  const auto* factor = filter.data.data_ptr<float>();
  auto* out = result.data_ptr<float>();
  parallel(ceil_div(tiles, rows), [&](size_t begin, size_t end) {
    auto* patch =
        memory.data_ptr<float>() + static_cast<size_t>(at::get_thread_num()) * scratch;
    auto* product = patch + patches.size();
    for (size_t block = begin; block < end; ++block) {
      const size_t first = block * rows;
      const Tiles range{first, std::min(rows, tiles - first)};
      winograd::transform_patches(in, from, range, outside.data_ptr<float>(), patches,
                                  patch);
      for (size_t p = 0; p < kPoints; ++p) {
        winograd::multiply({patch + p * patches.point(), patches.group(),
                            factor + p * filter.layout.point(), filter.layout.group(),
                            product + p * products.point(), products.group(),
                            ceil_div(range.count, kRowMultiple) * kRowMultiple,
                            from.channels, products.groups, /*add=*/false});
      }
      winograd::restore_tiles(product, products, range, to, 0, out);
    }
  });
  return result;
}

Tensor forward(const Tensor& input, const Tensor& weight) {
  const Tensor taps = weight.permute({2, 3, 1, 0}).contiguous();
  const size_t in = extent(weight, 1);
  const size_t out = extent(weight, 0);
  return convolve(channels_last(input), {taps.data_ptr<float>(),
                                         static_cast<ptrdiff_t>(in * out), out, in, out});
}

/// The convolution of the gradient with the weights turned by half a turn.
Tensor input_gradient(const Tensor& gradient, const Tensor& weight) {
  const Tensor taps = channels_last(weight);
  const size_t in = extent(weight, 1);
  const size_t out = extent(weight, 0);
  return convolve(channels_last(gradient),
                  {taps.data_ptr<float>() + (kTaps - 1) * in, -static_cast<ptrdiff_t>(in),
                   kTaps * in, out, in});
}

/// Sums over tiles at each point, one share of the tiles for each thread.
struct Sums {
  Layout layout;
  size_t shares;
  Tensor data;
};

Sums sum_over_tiles(const Tensor& input, const Tensor& gradient) {
  const TileGrid from = grid_of(input);
  const TileGrid to = grid_of(gradient);
  const size_t tiles = from.num_tiles();
  const size_t share = ceil_div(tiles, threads());
  const size_t rows = ceil_div(share, ceil_div(share, kGradientBlock));
  const Layout patches{from.groups(), rows};
  const Layout outputs{to.groups(), rows};
  Sums sums{{to.groups(), from.groups() * kGroup}, ceil_div(tiles, share), {}};
  sums.data = floats(sums.shares * sums.layout.size());
  const size_t scratch = patches.size() + outputs.size();
  const Tensor memory = floats(sums.shares * scratch);
  const Tensor outside = margin(std::max(from.channels, to.channels));
  const auto* in = input.data_ptr<float>();
  const auto* upstream = gradient.data_ptr<float>();
  const auto* nothing = outside.data_ptr<float>();
  parallel(sums.shares, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      auto* patch = memory.data_ptr<float>() + i * scratch;
      auto* output = patch + patches.size();
      auto* sum = sums.data.data_ptr<float>() + i * sums.layout.size();
      const size_t last = std::min(tiles, (i + 1) * share);
      for (size_t first = i * share; first < last; first += rows) {
        const Tiles range{first, std::min(rows, last - first)};
        winograd::transform_patches(in, from, range, nothing, patches, patch);
        winograd::transform_tiles(upstream, to, range, nothing, outputs, output);
        for (size_t p = 0; p < kPoints; ++p) {
          winograd::multiply_transposed(
              {patch + p * patches.point(), patches.group(), output + p * outputs.point(),
               outputs.group(), sum + p * sums.layout.point(), sums.layout.group(),
               sums.layout.rows, range.count, outputs.groups,
               /*add=*/first != i * share});
        }
      }
    }
  });
  return sums;
}

/// Adds the shares to the first, in their order, for one group of one row.
void add_shares(const Sums& sums, float* at) {
  for (size_t share = 1; share < sums.shares; ++share) {
    for (size_t p = 0; p < kPoints; ++p) {
      float* to = at + p * sums.layout.point();
      const float* from = to + share * sums.layout.size();
      for (size_t lane = 0; lane < kGroup; ++lane) to[lane] += from[lane];
    }
  }
}

Tensor weight_gradient(const Tensor& input, const Tensor& gradient) {
  const Sums sums = sum_over_tiles(channels_last(input), channels_last(gradient));
  const size_t in = extent(input, 1);
  const size_t width = sums.layout.groups * kGroup;
  const Tensor taps = floats(kTaps * in * width);
  auto* out = taps.data_ptr<float>();
  parallel(in, [&](size_t begin, size_t end) {
    for (size_t channel = begin; channel < end; ++channel) {
      for (size_t group = 0; group < sums.layout.groups; ++group) {
        float* at =
            sums.data.data_ptr<float>() + group * sums.layout.group() + channel * kGroup;
        add_shares(sums, at);
        float* to[kTaps];
        for (size_t t = 0; t < kTaps; ++t) {
          to[t] = out + (t * in + channel) * width + group * kGroup;
        }
        winograd::restore_weight(at, sums.layout.point(), to);
      }
    }
  });
  const auto outputs = gradient.size(1);
  return taps.view({3, 3, input.size(1), static_cast<int64_t>(width)})
      .narrow(3, 0, outputs)
      .permute({3, 2, 0, 1})
      .contiguous(torch::MemoryFormat::ChannelsLast);
}

class WinogradConv : public torch::autograd::Function<WinogradConv> {
 public:
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& input,
                        const Tensor& weight) {
    context->save_for_backward({input, weight});
    return detail::forward(input, weight);
  }
  static torch::autograd::variable_list backward(
      torch::autograd::AutogradContext* context,
      const torch::autograd::variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    Tensor input;
    Tensor weight;
    if (context->needs_input_grad(0)) input = input_gradient(gradients[0], saved[1]);
    if (context->needs_input_grad(1)) weight = weight_gradient(saved[0], gradients[0]);
    return {input, weight};
  }
};
}  // namespace

bool winograd_pays(const Tensor& input, const Tensor& weight) {
  constexpr int64_t kFewestChannels = 16;
  return input.device().is_cpu() && input.dim() == 4 && input.numel() > 0 &&
         input.scalar_type() == torch::kFloat32 &&
         weight.scalar_type() == torch::kFloat32 && weight.size(2) == 3 &&
         weight.size(3) == 3 && weight.size(0) >= kFewestChannels &&
         weight.size(1) >= kFewestChannels;
}

Tensor winograd_conv3x3(const Tensor& input, const Tensor& weight) {
  TORCH_CHECK(
      input.dim() == 4 && weight.dim() == 4 && input.size(1) == weight.size(1) &&
          weight.size(2) == 3 && weight.size(3) == 3 &&
          input.scalar_type() == torch::kFloat32,
      "[models] winograd_conv3x3: expected float32 [N, C, H, W] and [K, C, 3, 3], got ",
      input.sizes(), " and ", weight.sizes());
  return WinogradConv::apply(input, weight);
}

}  // namespace stoker::detail
