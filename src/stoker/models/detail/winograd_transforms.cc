#include "stoker/models/detail/winograd_transforms.h"

#include <cstring>

// Vectors of a length that only the running CPU knows cannot stand in arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoker/models/detail/winograd_transforms.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// foreach_target.h comes first: it includes this file once for each kind of CPU.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace stoker::detail::winograd {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, kGroup>;
using Vec = hn::Vec<Floats>;
constexpr size_t kLanes = hn::MaxLanes(Floats());

HWY_INLINE Vec num(float value) { return hn::Set(Floats(), value); }

// The one-dimensional transforms for the points 0, ±kP, ±kQ and infinity. These,
// oneDNN's, leave a quarter of the rounding error of the paper's ±1 and ±2.
constexpr float kP = 5.0F / 8;
constexpr float kQ = 3.0F / 2;
constexpr float kP2 = kP * kP;
constexpr float kQ2 = kQ * kQ;
constexpr float kScale0 = 1 / (kP2 * kQ2);
constexpr float kScaleP = 1 / (2 * kP2 * (kP2 - kQ2));
constexpr float kScaleQ = 1 / (2 * kQ2 * (kQ2 - kP2));

/// Bᵀ.
struct PatchLine {
  static constexpr size_t kIn = kPatch;
  static constexpr size_t kOut = kPatch;
  static HWY_INLINE void run(const Vec (&d)[kIn], Vec (&out)[kOut]) {
    const Vec even_p = hn::NegMulAdd(num(kQ2), d[2], d[4]);
    const Vec odd_p = hn::NegMulAdd(num(kQ2), d[1], d[3]);
    const Vec even_q = hn::NegMulAdd(num(kP2), d[2], d[4]);
    const Vec odd_q = hn::NegMulAdd(num(kP2), d[1], d[3]);
    out[0] = hn::MulAdd(num(kP2 * kQ2), d[0], hn::NegMulAdd(num(kP2 + kQ2), d[2], d[4]));
    out[1] = hn::MulAdd(num(kP), odd_p, even_p);
    out[2] = hn::NegMulAdd(num(kP), odd_p, even_p);
    out[3] = hn::MulAdd(num(kQ), odd_q, even_q);
    out[4] = hn::NegMulAdd(num(kQ), odd_q, even_q);
    out[5] = hn::MulAdd(num(kP2 * kQ2), d[1], hn::NegMulAdd(num(kP2 + kQ2), d[3], d[5]));
  }
};

/// A.
struct TileLine {
  static constexpr size_t kIn = kTile;
  static constexpr size_t kOut = kPatch;
  static HWY_INLINE void run(const Vec (&y)[kIn], Vec (&out)[kOut]) {
    const Vec even_p = hn::MulAdd(num(kP2), y[2], y[0]);
    const Vec odd_p = hn::MulAdd(num(kP2), y[3], y[1]);
    const Vec even_q = hn::MulAdd(num(kQ2), y[2], y[0]);
    const Vec odd_q = hn::MulAdd(num(kQ2), y[3], y[1]);
    out[0] = y[0];
    out[1] = hn::MulAdd(num(kP), odd_p, even_p);
    out[2] = hn::NegMulAdd(num(kP), odd_p, even_p);
    out[3] = hn::MulAdd(num(kQ), odd_q, even_q);
    out[4] = hn::NegMulAdd(num(kQ), odd_q, even_q);
    out[5] = y[3];
  }
};

/// Aᵀ.
struct OutputLine {
  static constexpr size_t kIn = kPatch;
  static constexpr size_t kOut = kTile;
  static HWY_INLINE void run(const Vec (&m)[kIn], Vec (&out)[kOut]) {
    const Vec even_p = hn::Add(m[1], m[2]);
    const Vec odd_p = hn::Sub(m[1], m[2]);
    const Vec even_q = hn::Add(m[3], m[4]);
    const Vec odd_q = hn::Sub(m[3], m[4]);
    out[0] = hn::Add(m[0], hn::Add(even_p, even_q));
    out[1] = hn::MulAdd(num(kQ), odd_q, hn::Mul(num(kP), odd_p));
    out[2] = hn::MulAdd(num(kQ2), even_q, hn::Mul(num(kP2), even_p));
    out[3] = hn::MulAdd(num(kQ2 * kQ), odd_q, hn::MulAdd(num(kP2 * kP), odd_p, m[5]));
  }
};

/// G.
struct WeightLine {
  static constexpr size_t kIn = 3;
  static constexpr size_t kOut = kPatch;
  static HWY_INLINE void run(const Vec (&g)[kIn], Vec (&out)[kOut]) {
    const Vec even_p = hn::Mul(num(kScaleP), hn::MulAdd(num(kP2), g[2], g[0]));
    const Vec odd_p = hn::Mul(num(kScaleP * kP), g[1]);
    const Vec even_q = hn::Mul(num(kScaleQ), hn::MulAdd(num(kQ2), g[2], g[0]));
    const Vec odd_q = hn::Mul(num(kScaleQ * kQ), g[1]);
    out[0] = hn::Mul(num(kScale0), g[0]);
    out[1] = hn::Add(even_p, odd_p);
    out[2] = hn::Sub(even_p, odd_p);
    out[3] = hn::Add(even_q, odd_q);
    out[4] = hn::Sub(even_q, odd_q);
    out[5] = g[2];
  }
};

/// Gᵀ.
struct WeightGradLine {
  static constexpr size_t kIn = kPatch;
  static constexpr size_t kOut = 3;
  static HWY_INLINE void run(const Vec (&u)[kIn], Vec (&out)[kOut]) {
    const Vec even_p = hn::Mul(num(kScaleP), hn::Add(u[1], u[2]));
    const Vec odd_p = hn::Mul(num(kScaleP), hn::Sub(u[1], u[2]));
    const Vec even_q = hn::Mul(num(kScaleQ), hn::Add(u[3], u[4]));
    const Vec odd_q = hn::Mul(num(kScaleQ), hn::Sub(u[3], u[4]));
    out[0] = hn::MulAdd(num(kScale0), u[0], hn::Add(even_p, even_q));
    out[1] = hn::MulAdd(num(kP), odd_p, hn::Mul(num(kQ), odd_q));
    out[2] = hn::MulAdd(num(kP2), even_p, hn::MulAdd(num(kQ2), even_q, u[5]));
  }
};

/// Line x Lineᵀ.
template <class Line, class Load, class Store>
HWY_INLINE void transform(const Load& load, const Store& store) {
  Vec middle[Line::kOut][Line::kIn];
#pragma GCC unroll 6
  for (size_t j = 0; j < Line::kIn; ++j) {
    Vec in[Line::kIn];
    Vec out[Line::kOut];
    for (size_t i = 0; i < Line::kIn; ++i) in[i] = load(i, j);
    Line::run(in, out);
    for (size_t i = 0; i < Line::kOut; ++i) middle[i][j] = out[i];
  }
#pragma GCC unroll 6
  for (size_t i = 0; i < Line::kOut; ++i) {
    Vec out[Line::kOut];
    Line::run(middle[i], out);
    for (size_t j = 0; j < Line::kOut; ++j) store(i, j, out[j]);
  }
}

#if HWY_MEM_OPS_MIGHT_FAULT  // Masked loads and stores touch the memory behind, too.

HWY_INLINE Vec load_first(const float* from, size_t count) {
  HWY_ALIGN float lanes[kLanes] = {};
  std::memcpy(lanes, from, count * sizeof(float));
  return hn::Load(Floats(), lanes);
}

HWY_INLINE void store_first(Vec vec, size_t count, float* to) {
  HWY_ALIGN float lanes[kLanes];
  hn::Store(vec, Floats(), lanes);
  std::memcpy(to, lanes, count * sizeof(float));
}

#else

HWY_INLINE Vec load_first(const float* from, size_t count) {
  return hn::MaskedLoad(hn::FirstN(Floats(), count), Floats(), from);
}

HWY_INLINE void store_first(Vec vec, size_t count, float* to) {
  hn::BlendedStore(vec, hn::FirstN(Floats(), count), Floats(), to);
}

#endif  // HWY_MEM_OPS_MIGHT_FAULT

/// Where a tile lies.
struct Place {
  size_t image;
  size_t y;
  size_t x;
  Place(const TileGrid& grid, size_t tile)
      : image(tile / (grid.tile_rows() * grid.tile_columns())),
        y(tile / grid.tile_columns() % grid.tile_rows() * kTile),
        x(tile % grid.tile_columns() * kTile) {}
};

/// A window of pixels that begins kBefore pixels above and left of a tile.
template <size_t kSide, size_t kBefore>
struct Window {
  const float* pixels[kSide][kSide];
  Window(const float* images, const TileGrid& grid, size_t tile, const float* zeros) {
    const Place place(grid, tile);
    for (size_t i = 0; i < kSide; ++i) {
      for (size_t j = 0; j < kSide; ++j) {
        // Before the first row or column the unsigned difference is large.
        const size_t y = place.y + i - kBefore;
        const size_t x = place.x + j - kBefore;
        const size_t index = (place.image * grid.height + y) * grid.width + x;
        const bool inside = y < grid.height && x < grid.width;
        pixels[i][j] = inside ? images + index * grid.channels : zeros;
      }
    }
  }
};

template <class Line, size_t kBefore>
HWY_INLINE void transform_windows(const float* images, const TileGrid& grid, Tiles tiles,
                                  const float* zeros, const Layout& layout, float* out) {
  for (size_t t = 0; t < tiles.count; ++t, out += kGroup) {
    const Window<Line::kIn, kBefore> window(images, grid, tiles.first + t, zeros);
    for (size_t c = 0; c < grid.channels; c += kLanes) {
      float* to = out + c / kGroup * layout.group() + c % kGroup;
      const size_t left = grid.channels - c;
      const auto all = [&](size_t i, size_t j) HWY_ATTR {
        return hn::LoadU(Floats(), window.pixels[i][j] + c);
      };
      const auto first = [&](size_t i, size_t j) HWY_ATTR {
        return load_first(window.pixels[i][j] + c, left);
      };
      const auto store = [&](size_t i, size_t j, Vec v) HWY_ATTR {
        hn::Store(v, Floats(), to + (i * kPatch + j) * layout.point());
      };
      if (left >= kLanes) {
        transform<Line>(all, store);
      } else {
        transform<Line>(first, store);
      }
    }
  }
}

void transform_patches(const float* images, const TileGrid& grid, Tiles tiles,
                       const float* zeros, const Layout& layout, float* out) {
  transform_windows<PatchLine, 1>(images, grid, tiles, zeros, layout, out);
}

void transform_tiles(const float* images, const TileGrid& grid, Tiles tiles,
                     const float* zeros, const Layout& layout, float* out) {
  transform_windows<TileLine, 0>(images, grid, tiles, zeros, layout, out);
}

void restore_tiles(const float* in, const Layout& layout, Tiles tiles,
                   const TileGrid& grid, float* images) {
  for (size_t t = 0; t < tiles.count; ++t, in += kGroup) {
    const Place place(grid, tiles.first + t);
    const size_t rows = grid.height - place.y;
    const size_t columns = grid.width - place.x;
    const size_t pixel = (place.image * grid.height + place.y) * grid.width + place.x;
    for (size_t c = 0; c < grid.channels; c += kLanes) {
      const float* from = in + c / kGroup * layout.group() + c % kGroup;
      float* to = images + pixel * grid.channels + c;
      const size_t left = grid.channels - c;
      transform<OutputLine>(
          [&](size_t i, size_t j) HWY_ATTR {
            return hn::Load(Floats(), from + (i * kPatch + j) * layout.point());
          },
          [&](size_t i, size_t j, Vec v) HWY_ATTR {
            if (i >= rows || j >= columns) return;
            float* at = to + (i * grid.width + j) * grid.channels;
            if (left >= kLanes) {
              hn::StoreU(v, Floats(), at);
            } else {
              store_first(v, left, at);
            }
          });
    }
  }
}

void transform_weight(const float* const* taps, size_t count, size_t point_stride,
                      float* out) {
  for (size_t c = 0; c < count; c += kLanes) {
    transform<WeightLine>(
        [&](size_t i, size_t j) HWY_ATTR {
          const float* from = taps[i * kTaps + j] + c;
          return count - c < kLanes ? load_first(from, count - c)
                                    : hn::LoadU(Floats(), from);
        },
        [&](size_t i, size_t j, Vec v) HWY_ATTR {
          hn::Store(v, Floats(), out + (i * kPatch + j) * point_stride + c);
        });
  }
}

void restore_weight(const float* in, size_t point_stride, float* const* taps) {
  for (size_t c = 0; c < kGroup; c += kLanes) {
    transform<WeightGradLine>(
        [&](size_t i, size_t j) HWY_ATTR {
          return hn::Load(Floats(), in + (i * kPatch + j) * point_stride + c);
        },
        [&](size_t i, size_t j, Vec v)
            HWY_ATTR { hn::Store(v, Floats(), taps[i * kTaps + j] + c); });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace stoker::detail::winograd
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace stoker::detail::winograd {

HWY_EXPORT(transform_patches);
HWY_EXPORT(transform_tiles);
HWY_EXPORT(restore_tiles);
HWY_EXPORT(transform_weight);
HWY_EXPORT(restore_weight);

void transform_patches(const float* images, const TileGrid& grid, Tiles tiles,
                       const float* zeros, const Layout& layout, float* out) {
  HWY_DYNAMIC_DISPATCH(transform_patches)(images, grid, tiles, zeros, layout, out);
}

void transform_tiles(const float* images, const TileGrid& grid, Tiles tiles,
                     const float* zeros, const Layout& layout, float* out) {
  HWY_DYNAMIC_DISPATCH(transform_tiles)(images, grid, tiles, zeros, layout, out);
}

void restore_tiles(const float* in, const Layout& layout, Tiles tiles,
                   const TileGrid& grid, float* images) {
  HWY_DYNAMIC_DISPATCH(restore_tiles)(in, layout, tiles, grid, images);
}

void transform_weight(const float* const* taps, size_t count, size_t point_stride,
                      float* out) {
  HWY_DYNAMIC_DISPATCH(transform_weight)(taps, count, point_stride, out);
}

void restore_weight(const float* in, size_t point_stride, float* const* taps) {
  HWY_DYNAMIC_DISPATCH(restore_weight)(in, point_stride, taps);
}

}  // namespace stoker::detail::winograd
#endif  // HWY_ONCE
