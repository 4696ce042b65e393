#include "stoker/models/detail/winograd_kernels.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoker/models/detail/winograd_kernels.cc"
// Vectors of unknown length cannot stand in arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
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

// The one-dimensional transforms for the points 0, 1, -1, 2, -2 and infinity.

/// Bᵀ.
struct PatchLine {
  static constexpr size_t kIn = kPatch;
  static constexpr size_t kOut = kPatch;
  static HWY_INLINE void run(const Vec (&d)[kIn], Vec (&out)[kOut]) {
    const Vec a = hn::NegMulAdd(num(4), d[2], d[4]);
    const Vec b = hn::NegMulAdd(num(4), d[1], d[3]);
    const Vec c = hn::Sub(d[4], d[2]);
    const Vec e = hn::Sub(d[3], d[1]);
    out[0] = hn::MulAdd(num(4), d[0], hn::NegMulAdd(num(5), d[2], d[4]));
    out[1] = hn::Add(a, b);
    out[2] = hn::Sub(a, b);
    out[3] = hn::MulAdd(num(2), e, c);
    out[4] = hn::NegMulAdd(num(2), e, c);
    out[5] = hn::MulAdd(num(4), d[1], hn::NegMulAdd(num(5), d[3], d[5]));
  }
};

/// A.
struct TileLine {
  static constexpr size_t kIn = kTile;
  static constexpr size_t kOut = kPatch;
  static HWY_INLINE void run(const Vec (&y)[kIn], Vec (&out)[kOut]) {
    const Vec even1 = hn::Add(y[0], y[2]);
    const Vec odd1 = hn::Add(y[1], y[3]);
    const Vec even2 = hn::MulAdd(num(4), y[2], y[0]);
    const Vec odd2 = hn::MulAdd(num(4), y[3], y[1]);
    out[0] = y[0];
    out[1] = hn::Add(even1, odd1);
    out[2] = hn::Sub(even1, odd1);
    out[3] = hn::MulAdd(num(2), odd2, even2);
    out[4] = hn::NegMulAdd(num(2), odd2, even2);
    out[5] = y[3];
  }
};

/// Aᵀ.
struct OutputLine {
  static constexpr size_t kIn = kPatch;
  static constexpr size_t kOut = kTile;
  static HWY_INLINE void run(const Vec (&m)[kIn], Vec (&out)[kOut]) {
    const Vec even1 = hn::Add(m[1], m[2]);
    const Vec odd1 = hn::Sub(m[1], m[2]);
    const Vec even2 = hn::Add(m[3], m[4]);
    const Vec odd2 = hn::Sub(m[3], m[4]);
    out[0] = hn::Add(m[0], hn::Add(even1, even2));
    out[1] = hn::MulAdd(num(2), odd2, odd1);
    out[2] = hn::MulAdd(num(4), even2, even1);
    out[3] = hn::MulAdd(num(8), odd2, hn::Add(odd1, m[5]));
  }
};

/// G.
struct WeightLine {
  static constexpr size_t kIn = 3;
  static constexpr size_t kOut = kPatch;
  static HWY_INLINE void run(const Vec (&g)[kIn], Vec (&out)[kOut]) {
    const Vec even1 = hn::Mul(num(-1.0F / 6), hn::Add(g[0], g[2]));
    const Vec odd1 = hn::Mul(num(-1.0F / 6), g[1]);
    const Vec even2 = hn::MulAdd(num(1.0F / 24), g[0], hn::Mul(num(1.0F / 6), g[2]));
    const Vec odd2 = hn::Mul(num(1.0F / 12), g[1]);
    out[0] = hn::Mul(num(0.25F), g[0]);
    out[1] = hn::Add(even1, odd1);
    out[2] = hn::Sub(even1, odd1);
    out[3] = hn::Add(even2, odd2);
    out[4] = hn::Sub(even2, odd2);
    out[5] = g[2];
  }
};

/// Gᵀ.
struct WeightGradLine {
  static constexpr size_t kIn = kPatch;
  static constexpr size_t kOut = 3;
  static HWY_INLINE void run(const Vec (&u)[kIn], Vec (&out)[kOut]) {
    const Vec even1 = hn::Mul(num(-1.0F / 6), hn::Add(u[1], u[2]));
    const Vec odd1 = hn::Mul(num(-1.0F / 6), hn::Sub(u[1], u[2]));
    const Vec even2 = hn::Add(u[3], u[4]);
    const Vec odd2 = hn::Sub(u[3], u[4]);
    out[0] = hn::MulAdd(num(0.25F), u[0], hn::MulAdd(num(1.0F / 24), even2, even1));
    out[1] = hn::MulAdd(num(1.0F / 12), odd2, odd1);
    out[2] = hn::Add(u[5], hn::MulAdd(num(1.0F / 6), even2, even1));
  }
};

/// Line x Lineᵀ.
template <class Line, class Load, class Store>
HWY_INLINE void transform(const Load& load, const Store& store) {
  Vec middle[Line::kOut][Line::kIn];
  for (size_t j = 0; j < Line::kIn; ++j) {
    Vec in[Line::kIn];
    Vec out[Line::kOut];
    for (size_t i = 0; i < Line::kIn; ++i) in[i] = load(i, j);
    Line::run(in, out);
    for (size_t i = 0; i < Line::kOut; ++i) middle[i][j] = out[i];
  }
  for (size_t i = 0; i < Line::kOut; ++i) {
    Vec out[Line::kOut];
    Line::run(middle[i], out);
    for (size_t j = 0; j < Line::kOut; ++j) store(i, j, out[j]);
  }
}

HWY_INLINE Vec load_first(const float* from, size_t count) {
  if (HWY_LIKELY(count >= kLanes)) return hn::LoadU(Floats(), from);
  HWY_ALIGN float lanes[kLanes] = {};
  std::memcpy(lanes, from, count * sizeof(float));
  return hn::Load(Floats(), lanes);
}

HWY_INLINE void store_first(Vec vec, size_t count, float* to) {
  if (HWY_LIKELY(count >= kLanes)) {
    hn::StoreU(vec, Floats(), to);
    return;
  }
  HWY_ALIGN float lanes[kLanes];
  hn::Store(vec, Floats(), lanes);
  std::memcpy(to, lanes, count * sizeof(float));
}

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

/// The transform of a kIn x kIn window `before` pixels above and left of each tile.
template <class Line, size_t kBefore>
void transform_windows(const float* images, const TileGrid& grid, Tiles tiles,
                       const float* zeros, const Layout& layout, float* out) {
  constexpr size_t kSide = Line::kIn;
  const size_t point = layout.point();
  for (size_t t = 0; t < tiles.count; ++t, out += kGroup) {
    const Place place(grid, tiles.first + t);
    const float* pixels[kSide][kSide];
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
    for (size_t c = 0; c < grid.channels; c += kLanes) {
      float* to = out + c / kGroup * layout.group() + c % kGroup;
      const size_t left = grid.channels - c;
      const auto store = [=](size_t i, size_t j, Vec v) HWY_ATTR {
        hn::Store(v, Floats(), to + (i * kPatch + j) * point);
      };
      if (HWY_LIKELY(left >= kLanes)) {
        transform<Line>([&](size_t i, size_t j)
                            HWY_ATTR { return hn::LoadU(Floats(), pixels[i][j] + c); },
                        store);
      } else {
        transform<Line>([&](size_t i, size_t j)
                            HWY_ATTR { return load_first(pixels[i][j] + c, left); },
                        store);
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
                   const TileGrid& grid, size_t first_group, float* images) {
  const size_t point = layout.point();
  const size_t begin = first_group * kGroup;
  const size_t end = std::min(grid.channels, begin + layout.groups * kGroup);
  for (size_t t = 0; t < tiles.count; ++t, in += kGroup) {
    const Place place(grid, tiles.first + t);
    const size_t rows = std::min(kTile, grid.height - place.y);
    const size_t columns = std::min(kTile, grid.width - place.x);
    float* corner =
        images +
        ((place.image * grid.height + place.y) * grid.width + place.x) * grid.channels;
    for (size_t c = begin; c < end; c += kLanes) {
      const float* from = in + (c - begin) / kGroup * layout.group() + c % kGroup;
      float* to = corner + c;
      const size_t left = end - c;
      transform<OutputLine>(
          [=](size_t i, size_t j)
              HWY_ATTR { return hn::Load(Floats(), from + (i * kPatch + j) * point); },
          [=](size_t i, size_t j, Vec v) HWY_ATTR {
            if (i < rows && j < columns) {
              store_first(v, left, to + (i * grid.width + j) * grid.channels);
            }
          });
    }
  }
}

void transform_weight(const float* const* taps, size_t count, size_t point_stride,
                      float* out) {
  for (size_t c = 0; c < count; c += kLanes) {
    transform<WeightLine>(
        [=](size_t i, size_t j)
            HWY_ATTR { return load_first(taps[i * 3 + j] + c, count - c); },
        [=](size_t i, size_t j, Vec v) HWY_ATTR {
          hn::Store(v, Floats(), out + (i * kPatch + j) * point_stride + c);
        });
  }
}

void restore_weight(const float* in, size_t point_stride, float* const* taps) {
  for (size_t c = 0; c < kGroup; c += kLanes) {
    transform<WeightGradLine>(
        [=](size_t i, size_t j) HWY_ATTR {
          return hn::Load(Floats(), in + (i * kPatch + j) * point_stride + c);
        },
        [=](size_t i, size_t j, Vec v)
            HWY_ATTR { hn::Store(v, Floats(), taps[i * 3 + j] + c); });
  }
}

// AVX-512 and Arm have 32 vector registers, the others 16.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
constexpr size_t kRows = 4;
#else
constexpr size_t kRows = 8;
#endif
static_assert(kRowMultiple % kRows == 0);

/// kRows rows by two vectors of the result.
template <size_t kRowStride, size_t kStep>
HWY_INLINE void multiply_block(const Product& p, const float* HWY_RESTRICT left,
                               const float* HWY_RESTRICT right0,
                               const float* HWY_RESTRICT right1, float* out0,
                               float* out1) {
  const Floats d;
  const size_t advance = kStep == 1 ? p.left_group : kGroup * kStep;
  Vec sum0[kRows];
  Vec sum1[kRows];
#pragma GCC unroll 8
  for (size_t i = 0; i < kRows; ++i) {
    sum0[i] = p.add ? hn::Load(d, out0 + i * kGroup) : hn::Zero(d);
    sum1[i] = p.add ? hn::Load(d, out1 + i * kGroup) : hn::Zero(d);
  }
  for (size_t k = 0; k < p.depth; k += kGroup, left += advance) {
    const size_t steps = std::min(kGroup, p.depth - k);
    const float* l = left;
    for (size_t s = 0; s < steps; ++s, l += kStep, right0 += kGroup, right1 += kGroup) {
      const Vec r0 = hn::Load(d, right0);
      const Vec r1 = hn::Load(d, right1);
#pragma GCC unroll 8
      for (size_t i = 0; i < kRows; ++i) {
        const Vec factor = hn::Set(d, l[i * kRowStride]);
        sum0[i] = hn::MulAdd(factor, r0, sum0[i]);
        sum1[i] = hn::MulAdd(factor, r1, sum1[i]);
      }
    }
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < kRows; ++i) {
    hn::Store(sum0[i], d, out0 + i * kGroup);
    hn::Store(sum1[i], d, out1 + i * kGroup);
  }
}

template <bool kTransposed>
HWY_INLINE void multiply_all(const Product& p) {
  constexpr size_t kRowStride = kTransposed ? 1 : kGroup;
  constexpr size_t kStep = kTransposed ? kGroup : 1;
  const size_t columns = p.groups * kGroup;
  for (size_t n = 0; n < columns; n += 2 * kLanes) {
    // A lone last vector is computed twice.
    const size_t m = n + kLanes < columns ? n + kLanes : n;
    const float* right0 = p.right + n / kGroup * p.right_group + n % kGroup;
    const float* right1 = p.right + m / kGroup * p.right_group + m % kGroup;
    float* out0 = p.out + n / kGroup * p.out_group + n % kGroup;
    float* out1 = p.out + m / kGroup * p.out_group + m % kGroup;
    for (size_t row = 0; row < p.rows; row += kRows) {
      const size_t offset =
          kTransposed ? row / kGroup * p.left_group + row % kGroup : row * kGroup;
      multiply_block<kRowStride, kStep>(p, p.left + offset, right0, right1,
                                        out0 + row * kGroup, out1 + row * kGroup);
    }
  }
}

void multiply(const Product& product) { multiply_all<false>(product); }
void multiply_transposed(const Product& product) { multiply_all<true>(product); }

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
HWY_EXPORT(multiply);
HWY_EXPORT(multiply_transposed);

void transform_patches(const float* images, const TileGrid& grid, Tiles tiles,
                       const float* zeros, const Layout& layout, float* out) {
  HWY_DYNAMIC_DISPATCH(transform_patches)(images, grid, tiles, zeros, layout, out);
}

void transform_tiles(const float* images, const TileGrid& grid, Tiles tiles,
                     const float* zeros, const Layout& layout, float* out) {
  HWY_DYNAMIC_DISPATCH(transform_tiles)(images, grid, tiles, zeros, layout, out);
}

void restore_tiles(const float* in, const Layout& layout, Tiles tiles,
                   const TileGrid& grid, size_t first_group, float* images) {
  HWY_DYNAMIC_DISPATCH(restore_tiles)(in, layout, tiles, grid, first_group, images);
}

void transform_weight(const float* const* taps, size_t count, size_t point_stride,
                      float* out) {
  HWY_DYNAMIC_DISPATCH(transform_weight)(taps, count, point_stride, out);
}

void restore_weight(const float* in, size_t point_stride, float* const* taps) {
  HWY_DYNAMIC_DISPATCH(restore_weight)(in, point_stride, taps);
}

void multiply(const Product& product) { HWY_DYNAMIC_DISPATCH(multiply)(product); }

void multiply_transposed(const Product& product) {
  HWY_DYNAMIC_DISPATCH(multiply_transposed)(product);
}

}  // namespace stoker::detail::winograd
#endif  // HWY_ONCE
