#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "stoker/data/augment/detail/colour_value.h"
#include "stoker/data/codecs/image.h"

namespace stoker::data::detail {

/// A turn, a shear, a zoom and a shift, in this order about `centre`; as the arguments of
/// torchvision's `affine`.
struct Affine {
  double degrees = 0;  ///< Clockwise.
  double shift_x = 0;  ///< Pixels.
  double shift_y = 0;
  double scale = 1;
  double shear_x = 0;  ///< Degrees.
  double shear_y = 0;
  /// x, y in pixels from the upper left corner; the middle of the image when absent.
  std::optional<std::array<double, 2>> centre = {};
};

enum class Interpolation { kNearest, kBilinear };

struct Sampling {
  Interpolation interpolation = Interpolation::kNearest;
  /// Around the image. Without one it is black, and bilinear borders fade once and not
  /// twice: torchvision's `fill=None` against `fill=0`.
  std::optional<Colour> fill;
};

/// Each pixel of `out` (with the shape of `in`) from where `affine` moved it.
void warp(const Image& in, const Affine& affine, const Sampling& sampling, Image& out);

}  // namespace stoker::data::detail
