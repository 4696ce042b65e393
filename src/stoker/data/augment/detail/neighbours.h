#pragma once

#include <vector>

#include "stoker/data/codecs/image.h"

namespace stoker::data::detail {

/// Memory that blurring keeps between images.
struct BlurScratch {
  std::vector<float> columns;  ///< Weights.
  std::vector<float> rows;
  std::vector<float> line;  ///< One row of sums, continued at both ends.
};

/// torchvision's `gaussian_blur`: weights exp(-d^2 / (2 sigma^2)) that sum to 1 over an
/// odd number of columns and rows, the image mirrored at its borders, in float. `out` has
/// the shape of `in`.
void gaussian_blur(const Image& in, int kernel_width, int kernel_height, double sigma,
                   Image& out, BlurScratch& scratch);

/// torchvision's `adjust_sharpness`: away from (factor above 1) or towards (below 1) the
/// average of 3x3 pixels with 5 parts of 13 in the middle. Border pixels stay.
void adjust_sharpness(const Image& in, double factor, Image& out);

/// Index within [0, size) of a position in the endlessly mirrored image, its border pixel
/// not repeated.
int mirrored(int position, int size);

}  // namespace stoker::data::detail
