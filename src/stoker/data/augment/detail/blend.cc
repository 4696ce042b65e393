#include "stoker/data/augment/detail/blend.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoker/data/augment/detail/blend.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// foreach_target.h comes first: it includes this file once for each kind of CPU.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace stoker::data::detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Ints = hn::CappedTag<int32_t, 16>;
using FewBytes = hn::Rebind<uint8_t, Ints>;

#if HWY_TARGET == HWY_SCALAR

constexpr bool kBlendsRgb = false;
void blend_rgb_columns(const uint8_t*, const Taps&, size_t, uint8_t*) {}

#else

constexpr bool kBlendsRgb = true;
using Bytes16 = hn::FixedTag<uint8_t, 16>;

/// Three channels, four pixels a load: pairs of neighbours of the same channel are
/// multiplied with pairs of weights and added.
void blend_rgb_columns(const uint8_t* in, const Taps& taps, size_t num_outputs,
                       uint8_t* out) {
  constexpr uint8_t kNone = 0x80;
  alignas(16) static constexpr uint8_t kPixels01[16] = {
      0, kNone, 3, kNone, 1,     kNone, 4,     kNone,
      2, kNone, 5, kNone, kNone, kNone, kNone, kNone};
  alignas(16) static constexpr uint8_t kPixels23[16] = {
      6, kNone, 9,  kNone, 7,     kNone, 10,    kNone,
      8, kNone, 11, kNone, kNone, kNone, kNone, kNone};
  const Bytes16 d8;
  const hn::FixedTag<int16_t, 8> d16;
  const hn::FixedTag<int32_t, 4> d32;
  const hn::FixedTag<uint8_t, 4> d4;
  const auto pixels01 = hn::Load(d8, kPixels01);
  const auto pixels23 = hn::Load(d8, kPixels23);
  const auto half = hn::Set(d32, 1 << (taps.precision - 1));
  const int16_t* weights = taps.weights;
  for (size_t x = 0; x < num_outputs; ++x, weights += taps.taps) {
    const uint8_t* from = in + 3 * static_cast<ptrdiff_t>(taps.first[x]);
    auto even = half;
    auto odd = hn::Zero(d32);
    for (int k = 0; k < taps.taps; k += 4, from += 12) {
      const auto four = hn::LoadU(d8, from);
      int32_t pair01;
      int32_t pair23;
      std::memcpy(&pair01, weights + k, sizeof pair01);
      std::memcpy(&pair23, weights + k + 2, sizeof pair23);
      even = hn::ReorderWidenMulAccumulate(
          d32, hn::BitCast(d16, hn::TableLookupBytesOr0(four, pixels01)),
          hn::BitCast(d16, hn::Set(d32, pair01)), even, odd);
      even = hn::ReorderWidenMulAccumulate(
          d32, hn::BitCast(d16, hn::TableLookupBytesOr0(four, pixels23)),
          hn::BitCast(d16, hn::Set(d32, pair23)), even, odd);
    }
    const auto sum =
        hn::ShiftRightSame(hn::RearrangeToOddPlusEven(even, odd), taps.precision);
    hn::StoreU(hn::DemoteTo(d4, sum), d4, out + 3 * x);
  }
}

#endif  // HWY_TARGET == HWY_SCALAR

void blend_columns(const uint8_t* in, int channels, const Taps& taps, size_t num_outputs,
                   bool fast, uint8_t* out) {
  if (kBlendsRgb && fast) {
    blend_rgb_columns(in, taps, num_outputs, out);
    return;
  }
  const auto step = static_cast<size_t>(channels);
  const int16_t* weights = taps.weights;
  for (size_t x = 0; x < num_outputs; ++x, weights += taps.taps) {
    const uint8_t* from = in + step * static_cast<size_t>(taps.first[x]);
    for (size_t c = 0; c < step; ++c) {
      int32_t sum = 1 << (taps.precision - 1);
      for (int k = 0; k < taps.taps; ++k) {
        // A weight of zero may stand for a pixel beyond the row.
        if (weights[k] != 0) sum += weights[k] * from[static_cast<size_t>(k) * step + c];
      }
      out[x * step + c] = static_cast<uint8_t>(std::clamp(sum >> taps.precision, 0, 255));
    }
  }
}

void blend_rows(const uint8_t* in, size_t stride, const int16_t* weights, int num_rows,
                int precision, size_t row_bytes, uint8_t* out) {
  const Ints d;
  const FewBytes d8;
  const auto half = hn::Set(d, 1 << (precision - 1));
  size_t i = 0;
  for (; i + hn::Lanes(d) <= row_bytes; i += hn::Lanes(d)) {
    auto sum = half;
    for (int k = 0; k < num_rows; ++k) {
      const auto bytes = hn::LoadU(d8, in + static_cast<size_t>(k) * stride + i);
      sum =
          hn::Add(sum, hn::Mul(hn::PromoteTo(d, bytes), hn::Set(d, int32_t{weights[k]})));
    }
    hn::StoreU(hn::DemoteTo(d8, hn::ShiftRightSame(sum, precision)), d8, out + i);
  }
  for (; i < row_bytes; ++i) {
    int32_t sum = 1 << (precision - 1);
    for (int k = 0; k < num_rows; ++k) {
      sum += weights[k] * in[static_cast<size_t>(k) * stride + i];
    }
    out[i] = static_cast<uint8_t>(std::clamp(sum >> precision, 0, 255));
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace stoker::data::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace stoker::data::detail {

HWY_EXPORT(blend_columns);
HWY_EXPORT(blend_rows);

void blend_columns(const uint8_t* in, int channels, const Taps& taps, size_t num_outputs,
                   bool fast, uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(blend_columns)(in, channels, taps, num_outputs, fast, out);
}

void blend_rows(const uint8_t* in, size_t stride, const int16_t* weights, int num_rows,
                int precision, size_t row_bytes, uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(blend_rows)
  (in, stride, weights, num_rows, precision, row_bytes, out);
}

}  // namespace stoker::data::detail
#endif  // HWY_ONCE
