#include "stoker/data/augment/detail/convolve.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoker/data/augment/detail/convolve.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// foreach_target.h comes first: it includes this file once for each kind of CPU.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace stoker::data::detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
/// For what is left when no whole vector fits.
using OneFloat = hn::CappedTag<float, 1>;

template <class D>
HWY_INLINE hn::Vec<D> load_bytes(D d, const uint8_t* in) {
  const hn::Rebind<uint8_t, D> d8;
  const hn::Rebind<int32_t, D> d32;
  return hn::ConvertTo(d, hn::PromoteTo(d32, hn::LoadU(d8, in)));
}

template <class D>
HWY_INLINE void store_bytes(D, hn::Vec<hn::Rebind<int32_t, D>> values, uint8_t* out) {
  const hn::Rebind<uint8_t, D> d8;
  hn::StoreU(hn::DemoteTo(d8, values), d8, out);
}

template <class D>
HWY_INLINE size_t add_scaled_from(D d, size_t i, const uint8_t* in, size_t count,
                                  float weight, float* sum) {
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto part = hn::Mul(load_bytes(d, in + i), hn::Set(d, weight));
    hn::StoreU(hn::Add(hn::LoadU(d, sum + i), part), d, sum + i);
  }
  return i;
}

void add_scaled(const uint8_t* in, size_t count, float weight, float* sum) {
  const size_t i = add_scaled_from(Floats(), 0, in, count, weight, sum);
  add_scaled_from(OneFloat(), i, in, count, weight, sum);
}

template <class D>
HWY_INLINE size_t convolve_from(D d, size_t i, const float* in, size_t step,
                                const float* weights, size_t num_weights, size_t count,
                                uint8_t* out) {
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    auto sum = hn::Zero(d);
    const float* from = in + i;
    for (size_t k = 0; k < num_weights; ++k, from += step) {
      sum = hn::Add(sum, hn::Mul(hn::LoadU(d, from), hn::Set(d, weights[k])));
    }
    store_bytes(d, hn::NearestInt(sum), out + i);
  }
  return i;
}

void convolve(const float* in, size_t step, const float* weights, size_t num_weights,
              size_t count, uint8_t* out) {
  const size_t i = convolve_from(Floats(), 0, in, step, weights, num_weights, count, out);
  convolve_from(OneFloat(), i, in, step, weights, num_weights, count, out);
}

template <class D>
HWY_INLINE size_t sharpen_from(D d, size_t i, const uint8_t* in, size_t row_bytes,
                               size_t step, float share, size_t count, uint8_t* out) {
  constexpr float kPart = 1.0F / 13;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const uint8_t* above = in + i - row_bytes;
    auto sum = hn::Zero(d);
    for (int row = 0; row < 3; ++row, above += row_bytes) {
      sum = hn::Add(sum, load_bytes(d, above - step));
      sum = hn::Add(sum, load_bytes(d, above));
      sum = hn::Add(sum, load_bytes(d, above + step));
    }
    const auto centre = load_bytes(d, in + i);
    sum = hn::Add(sum, hn::Mul(centre, hn::Set(d, 4.0F)));
    // Halves do not occur: 13 is odd.
    const auto average =
        hn::ConvertTo(d, hn::NearestInt(hn::Mul(sum, hn::Set(d, kPart))));
    const auto moved =
        hn::Add(centre, hn::Mul(hn::Sub(average, centre), hn::Set(d, share)));
    const hn::Rebind<int32_t, D> d32;
    store_bytes(d, hn::ConvertTo(d32, moved), out + i);
  }
  return i;
}

void sharpen(const uint8_t* in, size_t row_bytes, size_t step, float share, size_t count,
             uint8_t* out) {
  const size_t i = sharpen_from(Floats(), 0, in, row_bytes, step, share, count, out);
  sharpen_from(OneFloat(), i, in, row_bytes, step, share, count, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace stoker::data::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace stoker::data::detail {

HWY_EXPORT(add_scaled);
HWY_EXPORT(convolve);
HWY_EXPORT(sharpen);

void add_scaled(const uint8_t* in, size_t count, float weight, float* sum) {
  HWY_DYNAMIC_DISPATCH(add_scaled)(in, count, weight, sum);
}

void convolve(const float* in, size_t step, std::span<const float> weights, size_t count,
              uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(convolve)
  (in, step, weights.data(), weights.size(), count, out);
}

void sharpen(const uint8_t* in, size_t row_bytes, size_t step, float share, size_t count,
             uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(sharpen)(in, row_bytes, step, share, count, out);
}

}  // namespace stoker::data::detail
#endif  // HWY_ONCE
