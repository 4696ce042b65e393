#pragma once

#include <cstddef>

/// How `winograd_conv3x3` keeps its data. Between a transform and a product, data lies by
/// point of the transform (36 of them), then by group of 16 channels, then by row (a
/// tile, or the other channel of a weight), then by channel: products read it in order
/// and transforms move whole cache lines.
namespace stoker::detail::winograd {

constexpr size_t kGroup = 16;         ///< Channels in a row.
constexpr size_t kTile = 4;           ///< Outputs along one side of a tile.
constexpr size_t kTaps = 3;           ///< Weights along one side.
constexpr size_t kPatch = kTile + 2;  ///< Inputs along one side of a tile.
constexpr size_t kPoints = kPatch * kPatch;

constexpr size_t ceil_div(size_t a, size_t b) { return (a + b - 1) / b; }

/// Images `[N, H, W, C]` without gaps, each cut in tiles.
struct TileGrid {
  size_t images;
  size_t height;
  size_t width;
  size_t channels;
  size_t tile_rows() const { return ceil_div(height, kTile); }
  size_t tile_columns() const { return ceil_div(width, kTile); }
  size_t num_tiles() const { return images * tile_rows() * tile_columns(); }
  size_t groups() const { return ceil_div(channels, kGroup); }
};

/// A range of tiles in the order of the images' memory.
struct Tiles {
  size_t first;
  size_t count;
};

/// Strides of transformed data, in floats.
struct Layout {
  size_t groups;
  size_t rows;
  size_t group() const { return rows * kGroup; }
  /// An odd number of cache lines: a tile's points must not fall in one set of the cache.
  size_t point() const { return (groups * rows | 1) * kGroup; }
  size_t size() const { return kPoints * point(); }
};

}  // namespace stoker::detail::winograd
