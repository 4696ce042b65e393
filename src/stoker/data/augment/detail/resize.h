#pragma once

#include <cstdint>
#include <vector>

#include "stoker/data/codecs/image.h"

namespace stoker::data::detail {

/// The weights of one axis.
struct Axis {
  std::vector<int32_t> first;
  std::vector<int16_t> weights;
  std::vector<double> exact;
  int taps = 0;
  int precision = 0;
};

/// How a resize weighs the pixels around a point: a triangle over 2 of them, Keys' cubic
/// (a = -1/2) over 4, or equal parts of 1. All are widened when the image shrinks.
enum class Filter { kBilinear, kBicubic, kBox };

/// Memory that resizing keeps between images.
struct ResizeScratch {
  Axis columns;
  Axis rows;
  std::vector<uint8_t> middle;
};

/// Resizes `region` of an image: columns, then rows, each rounded to bytes, with weights
/// in fixed point of 16 bits. The same as torchvision v2's `resize(antialias=True)` of a
/// uint8 tensor; the box filter is Pillow's.
void resize(const Image& in, const Region& region, int width, int height, Filter filter,
            Image& out, ResizeScratch& scratch);

}  // namespace stoker::data::detail
