#include "stoker/data/augment/detail/affine.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stoker::data::detail {
namespace {

/// Rows (x, y) of: a position in the input, in half widths and heights from its middle,
/// from one in the output, in pixels from its middle.
using Matrix = std::array<float, 6>;

double radians(double degrees) { return degrees * std::numbers::pi / 180; }

/// The inverse of shift * centre * turn * shear * zoom * -centre.
std::array<double, 6> inverse_of(const Affine& affine, double centre_x, double centre_y) {
  const double turn = radians(affine.degrees);
  const double shear_y = radians(affine.shear_y);
  const double tan_x = std::tan(radians(affine.shear_x));
  const double a = std::cos(turn - shear_y) / std::cos(shear_y);
  const double b = -(a * tan_x + std::sin(turn));
  const double c = std::sin(turn - shear_y) / std::cos(shear_y);
  const double d = std::cos(turn) - c * tan_x;
  // a d - b c = 1: turns and shears keep areas.
  std::array<double, 6> m = {d / affine.scale,  -b / affine.scale, centre_x,
                             -c / affine.scale, a / affine.scale,  centre_y};
  const double from_x = centre_x + affine.shift_x;
  const double from_y = centre_y + affine.shift_y;
  m[2] -= m[0] * from_x + m[1] * from_y;
  m[5] -= m[3] * from_x + m[4] * from_y;
  return m;
}

Matrix matrix_of(const Affine& affine, int width, int height) {
  double centre_x = 0;
  double centre_y = 0;
  if (affine.centre) {
    centre_x = (*affine.centre)[0] - width * 0.5;
    centre_y = (*affine.centre)[1] - height * 0.5;
  }
  const std::array<double, 6> m = inverse_of(affine, centre_x, centre_y);
  Matrix matrix;
  for (size_t i = 0; i < matrix.size(); ++i) {
    const float half = 0.5F * static_cast<float>(i < 3 ? width : height);
    matrix[i] = static_cast<float>(m[i]) / half;
  }
  return matrix;
}

/// a * b + c, rounded once as the matrix products of PyTorch do it: a tie between two
/// pixels then falls to the same side.
float multiply_add(float a, float b, float c) {
  return static_cast<float>(double{a} * double{b} + double{c});
}

struct Point {
  float x;
  float y;
};

/// Positions in the input, in pixels, for the columns of one output row.
class RowOfPoints {
 public:
  RowOfPoints(const Matrix& matrix, int width, int height, int y)
      : m_(matrix),
        half_width_(0.5F * static_cast<float>(width)),
        half_height_(0.5F * static_cast<float>(height)),
        y_(static_cast<float>(y) - (half_height_ - 0.5F)) {}

  Point at(int x) const {
    const float from = static_cast<float>(x) - (half_width_ - 0.5F);
    const float across = multiply_add(y_, m_[1], from * m_[0]) + m_[2];
    const float down = multiply_add(y_, m_[4], from * m_[3]) + m_[5];
    return {multiply_add(across + 1, half_width_, -0.5F),
            multiply_add(down + 1, half_height_, -0.5F)};
  }

 private:
  const Matrix& m_;
  float half_width_;
  float half_height_;
  float y_;
};

/// Halves to even; for |value| below 2^22.
float nearest(float value) {
  constexpr float kNoFraction = 12582912;  // 1.5 * 2^23
  return (value + kNoFraction) - kNoFraction;
}

/// Far outside is as good as outside.
Point limited(Point point) {
  constexpr float kFar = 1 << 20;
  return {std::clamp(point.x, -kFar, kFar), std::clamp(point.y, -kFar, kFar)};
}

bool is_inside(const Image& image, int x, int y) {
  return x >= 0 && y >= 0 && x < image.width && y < image.height;
}

template <size_t kChannels>
void take_nearest(const Image& in, Point point, const Colour& fill, uint8_t* to) {
  const auto x = static_cast<int>(nearest(point.x));
  const auto y = static_cast<int>(nearest(point.y));
  const uint8_t* from =
      is_inside(in, x, y) ? in.row(y) + static_cast<size_t>(x) * kChannels : fill.data();
  std::copy_n(from, kChannels, to);
}

template <size_t kChannels>
void take_bilinear(const Image& in, Point point, const std::optional<Colour>& fill,
                   uint8_t* to) {
  const float left = std::floor(point.x);
  const float top = std::floor(point.y);
  const float right_share = point.x - left;
  const float bottom_share = point.y - top;
  std::array<float, kChannels> sums{};
  float inside = 0;
  const auto add = [&](int x, int y, float weight) {
    if (!is_inside(in, x, y)) return;
    const uint8_t* from = in.row(y) + static_cast<size_t>(x) * kChannels;
    for (size_t c = 0; c < kChannels; ++c) {
      sums[c] += weight * static_cast<float>(from[c]);
    }
    inside += weight;
  };
  const auto x = static_cast<int>(left);
  const auto y = static_cast<int>(top);
  add(x, y, (1 - right_share) * (1 - bottom_share));
  add(x + 1, y, right_share * (1 - bottom_share));
  add(x, y + 1, (1 - right_share) * bottom_share);
  add(x + 1, y + 1, right_share * bottom_share);
  for (size_t c = 0; c < kChannels; ++c) {
    float value = sums[c];
    if (fill) {
      const auto around = static_cast<float>((*fill)[c]);
      value = (value - around) * inside + around;
    }
    to[c] = static_cast<uint8_t>(nearest(std::clamp(value, 0.0F, 255.0F)));
  }
}

template <size_t kChannels>
void warp_channels(const Image& in, const Matrix& matrix, const Sampling& sampling,
                   Image& out) {
  const Colour around = sampling.fill.value_or(Colour{});
  for (int y = 0; y < out.height; ++y) {
    const RowOfPoints points(matrix, out.width, out.height, y);
    uint8_t* to = out.row(y);
    for (int x = 0; x < out.width; ++x, to += kChannels) {
      const Point point = limited(points.at(x));
      if (sampling.interpolation == Interpolation::kNearest) {
        take_nearest<kChannels>(in, point, around, to);
      } else {
        take_bilinear<kChannels>(in, point, sampling.fill, to);
      }
    }
  }
}

}  // namespace

void warp(const Image& in, const Affine& affine, const Sampling& sampling, Image& out) {
  const Matrix matrix = matrix_of(affine, in.width, in.height);
  if (in.channels == 3) {
    warp_channels<3>(in, matrix, sampling, out);
  } else {
    warp_channels<1>(in, matrix, sampling, out);
  }
}

}  // namespace stoker::data::detail
