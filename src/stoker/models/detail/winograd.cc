#include "stoker/models/detail/winograd.h"

#include <ATen/TensorIterator.h>
#include <torch/torch.h>

#include <algorithm>

#include "stoker/models/detail/winograd_product.h"
#include "stoker/models/detail/winograd_transforms.h"

namespace stoker::detail {

namespace {
using namespace winograd;  // NOLINT(google-build-using-namespace)
using torch::Tensor;

// Tiles that a thread takes at a time: few enough for the cache, many enough to read the
// weights seldom.
constexpr size_t kTilesAtATime = 64;
constexpr size_t kTilesPerWeightGradient = 128;

size_t size_of(const Tensor& tensor, int64_t dim) {
  return static_cast<size_t>(tensor.size(dim));
}

Tensor floats(size_t count) {
  return torch::empty({static_cast<int64_t>(count)}, torch::kFloat32);
}

Tensor channels_last(const Tensor& tensor) {
  return tensor.contiguous(torch::MemoryFormat::ChannelsLast);
}

/// `images` is channels_last.
TileGrid grid_of(const Tensor& images) {
  return {size_of(images, 0), size_of(images, 2), size_of(images, 3), size_of(images, 1)};
}

/// Calls body(begin, end) for parts of [0, count), one a thread. at::parallel_for works
/// only in files that are compiled for OpenMP; the loop over a tensor is LibTorch's own.
template <typename Body>
void parallel(size_t count, const Body& body) {
  const Tensor steps = torch::empty({static_cast<int64_t>(count)}, torch::kUInt8);
  const char* base = static_cast<const char*>(steps.const_data_ptr());
  auto loop = at::TensorIteratorConfig().add_const_input(steps).build();
  // Two-dimensional: the second extent is one.
  const auto call_body = [&](char** data, const int64_t*, int64_t size, int64_t) {
    const auto begin = static_cast<size_t>(data[0] - base);
    body(begin, begin + static_cast<size_t>(size));
  };
  loop.for_each(call_body, /*grain_size=*/1);
}

size_t num_threads() { return static_cast<size_t>(at::get_num_threads()); }
size_t thread_index() { return static_cast<size_t>(at::get_thread_num()); }

/// G w Gᵀ with a row for each of the convolution's inputs and a channel for each output.
struct Filters {
  Layout layout;
  Tensor data;
};

/// Where the taps of a weight lie: `[rows][channels]` each.
struct Taps {
  const float* first;
  ptrdiff_t tap_stride;
  size_t row_stride;
  size_t rows;
  size_t channels;
};

Filters transform_filters(const Taps& from) {
  const Layout layout{ceil_div(from.channels, kGroup), from.rows};
  const Tensor data = floats(layout.size());
  auto* out = data.mutable_data_ptr<float>();
  parallel(layout.groups * layout.rows, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const size_t channel = i / layout.rows * kGroup;
      const float* row = from.first + i % layout.rows * from.row_stride + channel;
      const float* taps[kTaps * kTaps];
      for (const float*& tap : taps) {
        tap = row;
        row += from.tap_stride;
      }
      transform_weight(taps, std::min(kGroup, from.channels - channel), layout.point(),
                       out + i * kGroup);
    }
  });
  return {layout, data};
}

/// For the forward pass.
Filters filters_of(const Tensor& weight) {
  const int64_t outputs = weight.size(0);
  const Tensor taps =
      weight.permute({0, 2, 3, 1}).reshape({outputs, -1}).t().contiguous();  // [9 C, K]
  const size_t in = size_of(weight, 1);
  const size_t out = size_of(weight, 0);
  return transform_filters(
      {taps.const_data_ptr<float>(), static_cast<ptrdiff_t>(in * out), out, in, out});
}

/// For the data gradient: turned by 180 degrees, inputs and outputs exchanged.
Filters turned_filters_of(const Tensor& weight) {
  const Tensor taps = channels_last(weight);  // [K, 9, C]
  const size_t in = size_of(weight, 1);
  const size_t out = size_of(weight, 0);
  return transform_filters({taps.const_data_ptr<float>() + 8 * in,
                            -static_cast<ptrdiff_t>(in), 9 * in, out, in});
}

/// Rows of a block so that each thread gets as many blocks.
size_t rows_per_block(size_t tiles) {
  const size_t rounds = ceil_div(tiles, kTilesAtATime * num_threads());
  return ceil_div(ceil_div(tiles, rounds * num_threads()), kRowBlock) * kRowBlock;
}

void multiply_points(const float* patches, const Layout& v, const Filters& filters,
                     size_t rows, float* out, const Layout& m) {
  const Layout& u = filters.layout;
  const auto* weights = filters.data.const_data_ptr<float>();
  for (size_t p = 0; p < kPoints; ++p) {
    multiply({patches + p * v.point(), v.group(), weights + p * u.point(), u.group(),
              out + p * m.point(), m.group(), rows, u.rows, u.groups, /*add=*/false});
  }
}

Tensor convolve(const Tensor& any_images, const Filters& filters, int64_t channels) {
  const Tensor images = channels_last(any_images);
  Tensor out =
      torch::empty({images.size(0), channels, images.size(2), images.size(3)},
                   images.options().memory_format(torch::MemoryFormat::ChannelsLast));
  const TileGrid in_grid = grid_of(images);
  const TileGrid out_grid = grid_of(out);
  const size_t tiles = in_grid.num_tiles();
  const size_t rows = rows_per_block(tiles);
  const Layout v{in_grid.groups(), rows};
  const Layout m{out_grid.groups(), rows};
  const Tensor scratch = floats(num_threads() * (v.size() + m.size()));
  const Tensor zeros = torch::zeros({images.size(1)}, torch::kFloat32);
  const auto* from = images.const_data_ptr<float>();
  auto* to = out.mutable_data_ptr<float>();
  parallel(ceil_div(tiles, rows), [&](size_t begin, size_t end) {
    float* patches =
        scratch.mutable_data_ptr<float>() + thread_index() * (v.size() + m.size());
    float* products = patches + v.size();
    for (size_t first = begin * rows; first < std::min(tiles, end * rows);
         first += rows) {
      const Tiles block{first, std::min(rows, tiles - first)};
      transform_patches(from, in_grid, block, zeros.const_data_ptr<float>(), v, patches);
      multiply_points(patches, v, filters, ceil_div(block.count, kRowBlock) * kRowBlock,
                      products, m);
      restore_tiles(products, m, block, out_grid, to);
    }
  });
  return out;
}

/// The weight's gradient, still transformed: the sum over all tiles of the products of
/// inputs and gradients. Threads form `sums` teams; each team has a share of the tiles
/// and a sum of its own, each of its members a share of the points.
class WeightGradient {
 public:
  WeightGradient(const Tensor& any_input, const Tensor& any_grad)
      : input_(channels_last(any_input)),
        grad_(channels_last(any_grad)),
        in_grid_(grid_of(input_)),
        out_grid_(grid_of(grad_)),
        sums_(std::clamp<size_t>(tiles() / kTilesPerWeightGradient, 1, num_threads())),
        members_(num_threads() / sums_),
        share_(ceil_div(tiles(), sums_)),
        v_{in_grid_.groups(), std::min(share_, kTilesAtATime)},
        z_{out_grid_.groups(), v_.rows},
        u_{out_grid_.groups(), in_grid_.groups() * kGroup} {
    sums_ = ceil_div(tiles(), share_);
  }

  Tensor compute() {
    const Tensor sum = floats(sums_ * u_.size());
    const Tensor scratch = floats(sums_ * members_ * (v_.size() + z_.size()));
    parallel(sums_ * members_, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        add_share(i / members_, i % members_,
                  scratch.mutable_data_ptr<float>() + i * (v_.size() + z_.size()),
                  sum.mutable_data_ptr<float>() + i / members_ * u_.size());
      }
    });
    return restore(sum.mutable_data_ptr<float>());
  }

 private:
  size_t tiles() const { return in_grid_.num_tiles(); }

  void add_share(size_t team, size_t member, float* patches, float* sum) const {
    float* grads = patches + v_.size();
    const size_t begin = team * share_;
    const size_t end = std::min(tiles(), begin + share_);
    for (size_t first = begin; first < end; first += v_.rows) {
      const Tiles block{first, std::min(v_.rows, end - first)};
      transform_patches(input_.const_data_ptr<float>(), in_grid_, block,
                        zeros_.const_data_ptr<float>(), v_, patches);
      transform_tiles(grad_.const_data_ptr<float>(), out_grid_, block,
                      zeros_.const_data_ptr<float>(), z_, grads);
      for (size_t p = kPoints * member / members_; p < kPoints * (member + 1) / members_;
           ++p) {
        multiply_transposed({patches + p * v_.point(), v_.group(), grads + p * z_.point(),
                             z_.group(), sum + p * u_.point(), u_.group(), u_.rows,
                             block.count, u_.groups, /*add=*/first > begin});
      }
    }
  }

  /// Adds the other sums to the first.
  void add_sums(float* row) const {
    for (size_t s = 1; s < sums_; ++s) {
      for (size_t p = 0; p < kPoints; ++p) {
        float* to = row + p * u_.point();
        const float* from = to + s * u_.size();
        for (size_t k = 0; k < kGroup; ++k) to[k] += from[k];
      }
    }
  }

  Tensor restore(float* sum) const {
    const int64_t in = input_.size(1);
    const size_t row = u_.groups * kGroup;
    const Tensor taps = torch::empty({9, in, static_cast<int64_t>(row)}, torch::kFloat32);
    auto* out = taps.mutable_data_ptr<float>();
    parallel(in_grid_.channels, [&](size_t begin, size_t end) {
      for (size_t c = begin; c < end; ++c) {
        for (size_t g = 0; g < u_.groups; ++g) {
          float* from = sum + g * u_.group() + c * kGroup;
          float* to[kTaps * kTaps];
          for (size_t t = 0; t < kTaps * kTaps; ++t) {
            to[t] = out + (t * in_grid_.channels + c) * row + g * kGroup;
          }
          add_sums(from);
          restore_weight(from, u_.point(), to);
        }
      }
    });
    const int64_t outputs = grad_.size(1);
    return taps.view({9 * in, -1})
        .narrow(1, 0, outputs)
        .t()
        .contiguous()
        .view({outputs, 3, 3, in})
        .permute({0, 3, 1, 2});
  }

  Tensor input_, grad_;
  TileGrid in_grid_, out_grid_;
  size_t sums_, members_, share_;
  Layout v_, z_, u_;
  Tensor zeros_ =
      torch::zeros({std::max(input_.size(1), grad_.size(1))}, torch::kFloat32);
};

class WinogradConv3x3 : public torch::autograd::Function<WinogradConv3x3> {
 public:
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& input,
                        const Tensor& weight) {
    context->save_for_backward({input, weight});
    return convolve(input, filters_of(weight), weight.size(0));
  }

  static torch::autograd::variable_list backward(
      torch::autograd::AutogradContext* context,
      const torch::autograd::variable_list& grads) {
    TORCH_CHECK(
        !torch::GradMode::is_enabled(),
        "[winograd] expected a backward pass without create_graph: the gradient of "
        "the gradient is not implemented");
    const auto saved = context->get_saved_variables();
    const Tensor& input = saved[0];
    const Tensor& weight = saved[1];
    torch::autograd::variable_list out(2);
    if (context->needs_input_grad(0)) {
      out[0] = convolve(grads[0], turned_filters_of(weight), weight.size(1));
    }
    if (context->needs_input_grad(1)) out[1] = WeightGradient(input, grads[0]).compute();
    return out;
  }
};

bool computes(torch::IntArrayRef input, torch::IntArrayRef weight,
              torch::ScalarType dtype, torch::Device device) {
  return dtype == torch::kFloat32 && device.is_cpu() && input.size() == 4 &&
         weight.size() == 4 && input[1] == weight[1] && weight[2] == 3 &&
         weight[3] == 3 && c10::multiply_integers(input) > 0 && weight[0] > 0;
}
}  // namespace

Tensor winograd_conv3x3(const Tensor& input, const Tensor& weight) {
  TORCH_CHECK(
      computes(input.sizes(), weight.sizes(), input.scalar_type(), input.device()) &&
          weight.scalar_type() == torch::kFloat32 && weight.device().is_cpu(),
      "[winograd] expected float32 CPU tensors [N, C, H, W] and [K, C, 3, 3], got ",
      input.toString(), input.sizes(), " and ", weight.toString(), weight.sizes());
  return WinogradConv3x3::apply(input, weight);
}

bool winograd_pays(torch::IntArrayRef input_sizes, torch::IntArrayRef weight_sizes,
                   torch::ScalarType dtype, torch::Device device) {
  if (!computes(input_sizes, weight_sizes, dtype, device)) return false;
  // Transforms cost by channel and products by pair of channels; the weight's transform
  // must serve many tiles, and the tiles must cover the image without much waste.
  const int64_t out = weight_sizes[0];
  const int64_t in = weight_sizes[1];
  const int64_t area = input_sizes[2] * input_sizes[3];
  const int64_t tiles = ((input_sizes[2] + 3) / 4) * ((input_sizes[3] + 3) / 4);
  return std::min(in, out) >= 16 && in * out >= 512 && input_sizes[0] * tiles >= 64 &&
         area >= 8 * tiles;
}

}  // namespace stoker::detail
