#pragma once

#include "stoker/models/detail/winograd_layout.h"

/// The transforms of Winograd's F(4x4, 3x3) (Lavin and Gray, "Fast algorithms for
/// convolutional neural networks", CVPR 2016) over plain memory, vectorised over
/// channels. Pointers to transformed data are aligned to 64 bytes.
namespace stoker::detail::winograd {

/// Bᵀ d B of the 6x6 patch of inputs of each tile. `zeros` stands for the pixels outside:
/// as many zeros as there are channels.
void transform_patches(const float* images, const TileGrid& grid, Tiles tiles,
                       const float* zeros, const Layout& layout, float* out);

/// A y Aᵀ of each 4x4 tile of an output's gradient.
void transform_tiles(const float* images, const TileGrid& grid, Tiles tiles,
                     const float* zeros, const Layout& layout, float* out);

/// Aᵀ m A, the 4x4 outputs of each tile.
void restore_tiles(const float* in, const Layout& layout, Tiles tiles,
                   const TileGrid& grid, float* images);

/// G w Gᵀ of `count` <= 16 channels of one row. `taps` are the nine taps' channels.
void transform_weight(const float* const* taps, size_t count, size_t point_stride,
                      float* out);

/// Gᵀ u G of all 16 channels of one row.
void restore_weight(const float* in, size_t point_stride, float* const* taps);

}  // namespace stoker::detail::winograd
