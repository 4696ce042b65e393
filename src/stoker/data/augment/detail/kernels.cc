#include "stoker/data/augment/detail/kernels.h"

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoker/data/augment/detail/kernels.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// foreach_target.h comes first: it includes this file once for each kind of CPU.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace stoker::data::detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Ints = hn::Rebind<int32_t, Floats>;
using FewBytes = hn::Rebind<uint8_t, Floats>;

template <typename V>
HWY_INLINE hn::Vec<Floats> centred(const uint8_t* in, V mean, V scale) {
  const auto bytes = hn::LoadU(FewBytes(), in);
  const auto values = hn::ConvertTo(Floats(), hn::PromoteTo(Ints(), bytes));
  return hn::Mul(hn::Sub(values, mean), scale);
}

void to_floats(const uint8_t* in, size_t count, const float* mean, const float* scale,
               float* out) {
  const Floats d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (size_t phase = 0; i + lanes <= count; i += lanes) {
    const auto value =
        centred(in + i, hn::LoadU(d, mean + phase), hn::LoadU(d, scale + phase));
    hn::StoreU(value, d, out + i);
    phase = phase + lanes == kPeriod ? 0 : phase + lanes;
  }
  for (; i < count; ++i) {
    out[i] = (static_cast<float>(in[i]) - mean[i % kPeriod]) * scale[i % kPeriod];
  }
}

#if HWY_TARGET == HWY_SCALAR

// Without vectors the loops after the blocks do all the work.
size_t plane_blocks(const uint8_t*, size_t, const float*, const float*, size_t, float*) {
  return 0;
}

size_t reversed_blocks(const uint8_t*, size_t, size_t, uint8_t*) { return 0; }

#else

/// Pixels that are taken out of their interleaving at once.
constexpr size_t kBlock = 16;
using Bytes16 = hn::FixedTag<uint8_t, kBlock>;

/// Does whole blocks and says how many pixels they were.
size_t plane_blocks(const uint8_t* rgb, size_t num_pixels, const float* mean,
                    const float* scale, size_t plane_floats, float* out) {
  const Floats d;
  const Bytes16 d8;
  alignas(16) uint8_t planes[3][kBlock];
  size_t x = 0;
  for (; x + kBlock <= num_pixels; x += kBlock) {
    hn::Vec<Bytes16> r;
    hn::Vec<Bytes16> g;
    hn::Vec<Bytes16> b;
    hn::LoadInterleaved3(d8, rgb + 3 * x, r, g, b);
    hn::Store(r, d8, planes[0]);
    hn::Store(g, d8, planes[1]);
    hn::Store(b, d8, planes[2]);
    for (size_t c = 0; c < 3; ++c) {
      const auto m = hn::Set(d, mean[c]);
      const auto s = hn::Set(d, scale[c]);
      float* to = out + c * plane_floats + x;
      for (size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
        hn::StoreU(centred(planes[c] + i, m, s), d, to + i);
      }
    }
  }
  return x;
}

size_t reversed_blocks(const uint8_t* in, size_t num_pixels, size_t channels,
                       uint8_t* out) {
  const Bytes16 d8;
  alignas(16) static constexpr uint8_t kBackwards[kBlock] = {
      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  const auto backwards = hn::Load(d8, kBackwards);
  size_t x = 0;
  for (; x + kBlock <= num_pixels; x += kBlock) {
    uint8_t* to = out + (num_pixels - x - kBlock) * channels;
    if (channels == 3) {
      hn::Vec<Bytes16> r;
      hn::Vec<Bytes16> g;
      hn::Vec<Bytes16> b;
      hn::LoadInterleaved3(d8, in + 3 * x, r, g, b);
      hn::StoreInterleaved3(hn::TableLookupBytes(r, backwards),
                            hn::TableLookupBytes(g, backwards),
                            hn::TableLookupBytes(b, backwards), d8, to);
    } else {
      hn::StoreU(hn::TableLookupBytes(hn::LoadU(d8, in + x), backwards), d8, to);
    }
  }
  return x;
}

#endif  // HWY_TARGET == HWY_SCALAR

void to_float_planes(const uint8_t* rgb, size_t num_pixels, const float* mean,
                     const float* scale, size_t plane_floats, float* out) {
  size_t x = plane_blocks(rgb, num_pixels, mean, scale, plane_floats, out);
  for (; x < num_pixels; ++x) {
    for (size_t c = 0; c < 3; ++c) {
      out[c * plane_floats + x] =
          (static_cast<float>(rgb[3 * x + c]) - mean[c]) * scale[c];
    }
  }
}

void reverse_pixels(const uint8_t* in, size_t num_pixels, size_t channels, uint8_t* out) {
  size_t x = reversed_blocks(in, num_pixels, channels, out);
  for (; x < num_pixels; ++x) {
    std::memcpy(out + (num_pixels - 1 - x) * channels, in + x * channels, channels);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace stoker::data::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace stoker::data::detail {

HWY_EXPORT(to_floats);
HWY_EXPORT(to_float_planes);
HWY_EXPORT(reverse_pixels);

void to_floats(const uint8_t* in, size_t count, const float* mean, const float* scale,
               float* out) {
  HWY_DYNAMIC_DISPATCH(to_floats)(in, count, mean, scale, out);
}

void to_float_planes(const uint8_t* rgb, size_t num_pixels, const float* mean,
                     const float* scale, size_t plane_floats, float* out) {
  HWY_DYNAMIC_DISPATCH(to_float_planes)(rgb, num_pixels, mean, scale, plane_floats, out);
}

void reverse_pixels(const uint8_t* in, size_t num_pixels, size_t channels, uint8_t* out) {
  HWY_DYNAMIC_DISPATCH(reverse_pixels)(in, num_pixels, channels, out);
}

}  // namespace stoker::data::detail
#endif  // HWY_ONCE
