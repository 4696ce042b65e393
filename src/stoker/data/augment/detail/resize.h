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

/// Memory that resizing keeps between images.
struct ResizeScratch {
  Axis columns;
  Axis rows;
  std::vector<uint8_t> middle;
};

/// Resizes `region` of an image with the bilinear filter, widened when it shrinks
/// (antialias): columns, then rows, each rounded to bytes, with weights in fixed point of
/// 16 bits. The same as torchvision v2's `resize(antialias=True)` of a uint8 tensor.
void resize_bilinear(const Image& in, const Region& region, int width, int height,
                     Image& out, ResizeScratch& scratch);

}  // namespace stoker::data::detail
