#pragma once

#include <cstddef>

/// The loops of `winograd_conv3x3` over plain memory, vectorised over channels.
///
/// What stands between the transforms and the products is kept by point of the transform
/// (36 of them), then by group of 16 channels, then by row (a tile, or the other channel
/// of a weight), then the 16 channels.
namespace stoker::detail::winograd {

constexpr size_t kGroup = 16;         ///< Channels in a row.
constexpr size_t kTile = 4;           ///< Outputs along one side of a tile.
constexpr size_t kPatch = kTile + 2;  ///< Inputs along one side of a tile.
constexpr size_t kPoints = kPatch * kPatch;
constexpr size_t kTaps = 9;
/// Rows are counted in multiples of this where they are outputs of a product.
constexpr size_t kRowMultiple = 8;

constexpr size_t ceil_div(size_t a, size_t b) { return (a + b - 1) / b; }

/// Images `[N, H, W, C]`, contiguous, cut in tiles.
struct TileGrid {
  size_t images, height, width, channels;
  size_t tile_rows() const { return ceil_div(height, kTile); }
  size_t tile_columns() const { return ceil_div(width, kTile); }
  size_t num_tiles() const { return images * tile_rows() * tile_columns(); }
  size_t groups() const { return ceil_div(channels, kGroup); }
};

/// Strides of the layout above, in floats.
struct Layout {
  size_t groups;
  size_t rows;
  size_t group() const { return rows * kGroup; }
  /// An odd number of cache lines: the points of a tile must not share a cache set.
  size_t point() const { return (groups * rows | 1) * kGroup; }
  size_t size() const { return kPoints * point(); }
};

/// A range of tiles.
struct Tiles {
  size_t first;
  size_t count;
};

/// Bᵀ d B of the 6x6 patch under each tile. `zeros` holds `channels` + 16 zeros.
void transform_patches(const float* images, const TileGrid& grid, Tiles tiles,
                       const float* zeros, const Layout& layout, float* out);

/// A y Aᵀ of each 4x4 tile.
void transform_tiles(const float* images, const TileGrid& grid, Tiles tiles,
                     const float* zeros, const Layout& layout, float* out);

/// Aᵀ m A, written to the groups [first_group, first_group + layout.groups) of the tiles.
void restore_tiles(const float* in, const Layout& layout, Tiles tiles,
                   const TileGrid& grid, size_t first_group, float* images);

/// G w Gᵀ for `count` of 16 channels of one row. `taps[t]` are the tap's channels.
void transform_weight(const float* const* taps, size_t count, size_t point_stride,
                      float* out);

/// Gᵀ u G for 16 channels of one row.
void restore_weight(const float* in, size_t point_stride, float* const* taps);

/// One factor or the result of a product at one point.
/// out[row] (+)= Σ_k left[row][k] right[k], for `rows` rows and all groups of `right`.
struct Product {
  const float* left;
  size_t left_group;  ///< Stride between the groups of `left`.
  const float* right;
  size_t right_group;
  float* out;
  size_t out_group;
  size_t rows;    ///< Rows of the result, a multiple of kRowMultiple.
  size_t depth;   ///< Length of the sum.
  size_t groups;  ///< Groups of the result.
  bool add;       ///< To what `out` holds.
};

/// `left` as it is: the sum runs over its channels.
void multiply(const Product& product);
/// `left` transposed: the sum runs over its rows.
void multiply_transposed(const Product& product);

}  // namespace stoker::detail::winograd
