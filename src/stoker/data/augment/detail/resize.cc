#include "stoker/data/augment/detail/resize.h"

#include <algorithm>
#include <cmath>

#include "stoker/data/augment/detail/blend.h"

namespace stoker::data::detail {
namespace {

/// Bytes that the kernels may touch beyond a row.
constexpr size_t kSlackBytes = 16;

int round_up(int value, int multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// The most bits after the point with which every weight still fits into 16 bits.
int precision_for(double largest_weight) {
  int precision = 0;
  while (precision < 22 && 0.5 + largest_weight * (1 << (precision + 1)) < (1 << 15)) {
    ++precision;
  }
  return precision;
}

/// Where the filter of each output begins, and how many inputs the widest one takes.
int place_filters(int input, double scale, double support, std::vector<int32_t>& first) {
  int most = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    const double centre = scale * (static_cast<double>(i) + 0.5);
    first[i] = std::max(static_cast<int>(centre - support + 0.5), 0);
    most = std::max(most,
                    std::min(static_cast<int>(centre + support + 0.5), input) - first[i]);
  }
  return most;
}

/// Pixels on either side that a filter takes when it is not widened.
double radius_of(Filter filter) {
  switch (filter) {
    case Filter::kBilinear:
      return 1;
    case Filter::kBicubic:
      return 2;
    case Filter::kBox:
      return 0.5;
  }
  return 0;
}

/// Keys, "Cubic convolution interpolation for digital image processing" (1981).
double cubic(double distance) {
  constexpr double kA = -0.5;
  const double x = std::abs(distance);
  if (x < 1) return ((kA + 2) * x - (kA + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * kA;
  return 0;
}

double weight_at(Filter filter, double distance) {
  switch (filter) {
    case Filter::kBilinear:
      return std::max(1.0 - std::abs(distance), 0.0);
    case Filter::kBicubic:
      return cubic(distance);
    case Filter::kBox:
      return distance > -0.5 && distance <= 0.5 ? 1 : 0;
  }
  return 0;
}

/// Rounds halves away from zero.
int16_t to_fixed(double weight, double one) {
  return static_cast<int16_t>(weight * one + (weight < 0 ? -0.5 : 0.5));
}

/// The weights as ATen's UpSampleKernel.cpp and Pillow's Resample.c place them.
void make_axis(int input, int output, Filter filter, Axis& axis) {
  const double scale = static_cast<double>(input) / output;
  const double stretch = std::max(scale, 1.0);
  const double support = radius_of(filter) * stretch;
  axis.first.resize(static_cast<size_t>(output));
  axis.taps = round_up(place_filters(input, scale, support, axis.first), 4);
  const auto taps = static_cast<size_t>(axis.taps);
  axis.exact.assign(axis.first.size() * taps, 0.0);
  double largest = 0;
  for (size_t i = 0; i < axis.first.size(); ++i) {
    const double centre = scale * (static_cast<double>(i) + 0.5);
    const int first = axis.first[i];
    const int count = std::min(static_cast<int>(centre + support + 0.5), input) - first;
    double* weights = axis.exact.data() + i * taps;
    double total = 0;
    for (int k = 0; k < count; ++k) {
      weights[k] = weight_at(filter, (first + k - centre + 0.5) / stretch);
      total += weights[k];
    }
    for (int k = 0; k < count; ++k) {
      weights[k] /= total;
      largest = std::max(largest, weights[k]);
    }
  }
  axis.precision = precision_for(largest);
  axis.weights.resize(axis.exact.size());
  const double one = 1 << axis.precision;
  std::transform(axis.exact.begin(), axis.exact.end(), axis.weights.begin(),
                 [one](double weight) { return to_fixed(weight, one); });
}

Taps taps_of(const Axis& axis) {
  return {axis.first.data(), axis.weights.data(), axis.taps, axis.precision};
}

void resize_columns(const Image& in, const Region& region, int width,
                    ResizeScratch& scratch) {
  const auto channels = static_cast<size_t>(in.channels);
  const size_t row_bytes = static_cast<size_t>(width) * channels;
  const Taps taps = taps_of(scratch.columns);
  const size_t reach =
      (static_cast<size_t>(scratch.columns.first.back() + taps.taps)) * channels +
      kSlackBytes;
  scratch.middle.resize(row_bytes * static_cast<size_t>(region.height) + kSlackBytes);
  const uint8_t* end = in.pixels.data() + in.pixels.size();
  for (int y = 0; y < region.height; ++y) {
    const uint8_t* from = in.row(region.y + y) + static_cast<size_t>(region.x) * channels;
    const bool fast = channels == 3 && reach <= static_cast<size_t>(end - from);
    blend_columns(from, in.channels, taps, static_cast<size_t>(width), fast,
                  scratch.middle.data() + static_cast<size_t>(y) * row_bytes);
  }
}

}  // namespace

void resize(const Image& in, const Region& region, int width, int height, Filter filter,
            Image& out, ResizeScratch& scratch) {
  make_axis(region.width, width, filter, scratch.columns);
  make_axis(region.height, height, filter, scratch.rows);
  resize_columns(in, region, width, scratch);
  out.width = width;
  out.height = height;
  out.channels = in.channels;
  out.pixels.resize(out.row_bytes() * static_cast<size_t>(height));
  const Axis& rows = scratch.rows;
  for (int y = 0; y < height; ++y) {
    const int32_t first = rows.first[static_cast<size_t>(y)];
    const int16_t* weights =
        rows.weights.data() + static_cast<size_t>(y) * static_cast<size_t>(rows.taps);
    int num_rows = rows.taps;
    while (num_rows > 1 && weights[num_rows - 1] == 0) --num_rows;
    blend_rows(scratch.middle.data() + static_cast<size_t>(first) * out.row_bytes(),
               out.row_bytes(), weights, num_rows, rows.precision, out.row_bytes(),
               out.row(y));
  }
}

}  // namespace stoker::data::detail
