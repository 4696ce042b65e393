#include "stoker/data/augment/detail/neighbours.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "stoker/data/augment/detail/convolve.h"

namespace stoker::data::detail {
namespace {

void make_gaussian(int size, double sigma, std::vector<float>& weights) {
  weights.resize(static_cast<size_t>(size));
  double total = 0;
  for (int i = 0; i < size; ++i) {
    const double distance = (i - (size - 1) / 2) / sigma;
    const double weight = std::exp(-0.5 * distance * distance);
    weights[static_cast<size_t>(i)] = static_cast<float>(weight);
    total += weight;
  }
  for (float& weight : weights) weight = static_cast<float>(weight / total);
}

/// Continues a row of pixels on both sides as its mirror image.
void mirror_ends(float* pixels, int width, int margin, size_t channels) {
  const auto at = [pixels, channels](int x) {
    return pixels + x * static_cast<int>(channels);
  };
  for (int i = 1; i <= margin; ++i) {
    std::copy_n(at(mirrored(-i, width)), channels, at(-i));
    std::copy_n(at(mirrored(width - 1 + i, width)), channels, at(width - 1 + i));
  }
}

}  // namespace

int mirrored(int position, int size) {
  if (size == 1) return 0;
  const int period = 2 * (size - 1);
  const int within = (position % period + period) % period;
  return within < size ? within : period - within;
}

void gaussian_blur(const Image& in, int kernel_width, int kernel_height, double sigma,
                   Image& out, BlurScratch& scratch) {
  const auto channels = static_cast<size_t>(in.channels);
  const int margin = kernel_width / 2;
  const size_t row_floats = in.row_bytes();
  const size_t margin_floats = static_cast<size_t>(margin) * channels;
  make_gaussian(kernel_width, sigma, scratch.columns);
  make_gaussian(kernel_height, sigma, scratch.rows);
  scratch.line.resize(row_floats + 2 * margin_floats);
  float* const middle = scratch.line.data() + margin_floats;
  for (int y = 0; y < in.height; ++y) {
    std::fill_n(middle, row_floats, 0.0F);
    for (int k = 0; k < kernel_height; ++k) {
      add_scaled(in.row(mirrored(y + k - kernel_height / 2, in.height)), row_floats,
                 scratch.rows[static_cast<size_t>(k)], middle);
    }
    mirror_ends(middle, in.width, margin, channels);
    convolve(scratch.line.data(), channels, scratch.columns, row_floats, out.row(y));
  }
}

void adjust_sharpness(const Image& in, double factor, Image& out) {
  std::copy(in.pixels.begin(), in.pixels.end(), out.pixels.begin());
  if (in.width <= 2 || in.height <= 2) return;
  const auto channels = static_cast<size_t>(in.channels);
  const size_t count = in.row_bytes() - 2 * channels;
  for (int y = 1; y + 1 < in.height; ++y) {
    sharpen(in.row(y) + channels, in.row_bytes(), channels,
            static_cast<float>(1 - factor), count, out.row(y) + channels);
  }
}

}  // namespace stoker::data::detail
