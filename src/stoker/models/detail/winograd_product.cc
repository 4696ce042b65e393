#include "stoker/models/detail/winograd_product.h"

#include <algorithm>

// Vectors of a length that only the running CPU knows cannot stand in arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoker/models/detail/winograd_product.cc"
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

// AVX-512 and Arm have 32 vector registers, the others 16.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
constexpr size_t kRows = 4;
#else
constexpr size_t kRows = 8;
#endif
static_assert(kRowBlock % kRows == 0 && kGroup % kRows == 0);

/// kRows rows by two vectors of the result.
struct Block {
  const float* left;
  const float* right[2];
  float* out[2];
  /// Memory that is needed soon, as many cache lines of it for each 16 steps of the sum.
  const float* ahead;
  size_t lines_ahead;
};

template <bool kTransposed>
HWY_INLINE void multiply_block(const Product& p, Block b) {
  constexpr size_t kRowStride = kTransposed ? 1 : kGroup;
  constexpr size_t kStep = kTransposed ? kGroup : 1;
  const size_t stride = kTransposed ? kGroup * kGroup : p.left_group;
  const Floats d;
  Vec sum0[kRows];
  Vec sum1[kRows];
#pragma GCC unroll 8
  for (size_t i = 0; i < kRows; ++i) {
    sum0[i] = hn::Zero(d);
    sum1[i] = hn::Zero(d);
    __builtin_prefetch(b.out[0] + i * kGroup, /*write=*/1);
    __builtin_prefetch(b.out[1] + i * kGroup, /*write=*/1);
  }
  for (size_t k = 0; k < p.depth; k += kGroup, b.left += stride) {
    for (size_t i = 0; i < b.lines_ahead; ++i, b.ahead += kGroup) {
      __builtin_prefetch(b.ahead, /*write=*/0, /*second level=*/2);
    }
    const float* left = b.left;
    for (size_t s = std::min(kGroup, p.depth - k); s > 0; --s, left += kStep) {
      const Vec right0 = hn::Load(d, b.right[0]);
      const Vec right1 = hn::Load(d, b.right[1]);
      b.right[0] += kGroup;
      b.right[1] += kGroup;
#pragma GCC unroll 8
      for (size_t i = 0; i < kRows; ++i) {
        const Vec factor = hn::Set(d, left[i * kRowStride]);
        sum0[i] = hn::MulAdd(factor, right0, sum0[i]);
        sum1[i] = hn::MulAdd(factor, right1, sum1[i]);
      }
    }
  }
  // Adding short sums to the long one at the end rounds less than going on with it.
#pragma GCC unroll 8
  for (size_t i = 0; i < kRows; ++i) {
    float* out0 = b.out[0] + i * kGroup;
    float* out1 = b.out[1] + i * kGroup;
    // Both are read before either is written: they may be one.
    if (p.add) {
      sum0[i] = hn::Add(sum0[i], hn::Load(d, out0));
      sum1[i] = hn::Add(sum1[i], hn::Load(d, out1));
    }
    hn::Store(sum0[i], d, out0);
    hn::Store(sum1[i], d, out1);
  }
}

template <bool kTransposed>
HWY_INLINE void multiply_all(const Product& p) {
  const size_t columns = p.groups * kGroup;
  // While one pair of columns of `right` is used for all rows, the next is fetched.
  const size_t lines_ahead = ceil_div(2 * kLanes, p.rows / kRows);
  for (size_t n = 0; n < columns; n += 2 * kLanes) {
    // A last vector without partner is computed twice.
    const size_t m = n + kLanes < columns ? n + kLanes : n;
    const auto right = [&](size_t column) {
      return p.right + column / kGroup * p.right_group + column % kGroup;
    };
    const auto out = [&](size_t column, size_t row) {
      return p.out + column / kGroup * p.out_group + column % kGroup + row * kGroup;
    };
    const float* ahead = right(n) + 2 * kLanes * p.depth;
    for (size_t row = 0; row < p.rows; row += kRows) {
      const float* left =
          p.left +
          (kTransposed ? row / kGroup * p.left_group + row % kGroup : row * kGroup);
      multiply_block<kTransposed>(
          p,
          {left, {right(n), right(m)}, {out(n, row), out(m, row)}, ahead, lines_ahead});
      ahead += lines_ahead * p.depth;
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

HWY_EXPORT(multiply);
HWY_EXPORT(multiply_transposed);

void multiply(const Product& product) { HWY_DYNAMIC_DISPATCH(multiply)(product); }

void multiply_transposed(const Product& product) {
  HWY_DYNAMIC_DISPATCH(multiply_transposed)(product);
}

}  // namespace stoker::detail::winograd
#endif  // HWY_ONCE
