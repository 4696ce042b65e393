#include "stoker/data/augment/detail/colour.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stoker/data/augment/detail/colour.cc"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
// foreach_target.h comes first: it includes this file once for each kind of CPU.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace stoker::data::detail {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Floats>;

/// Pixels that are taken out of their interleaving at once.
constexpr size_t kBlock = 16;

struct Block {
  alignas(64) float red[kBlock];
  alignas(64) float green[kBlock];
  alignas(64) float blue[kBlock];
};

/// Pixels beyond the last are black.
HWY_INLINE void load(const uint8_t* rgb, size_t count, Block& block) {
  if (count < kBlock) block = {};
  for (size_t i = 0; i < count; ++i) {
    block.red[i] = rgb[3 * i];
    block.green[i] = rgb[3 * i + 1];
    block.blue[i] = rgb[3 * i + 2];
  }
}

/// Cuts each value to a whole number.
HWY_INLINE void store(const Block& block, size_t count, uint8_t* rgb) {
  for (size_t i = 0; i < count; ++i) {
    rgb[3 * i] = static_cast<uint8_t>(static_cast<int>(block.red[i]));
    rgb[3 * i + 1] = static_cast<uint8_t>(static_cast<int>(block.green[i]));
    rgb[3 * i + 2] = static_cast<uint8_t>(static_cast<int>(block.blue[i]));
  }
}

/// Lets `change(r, g, b)` change a vector of pixels at a time.
template <typename Change>
HWY_INLINE void change_pixels(uint8_t* rgb, size_t num_pixels, const Change& change) {
  const Floats d;
  Block block;
  for (size_t x = 0; x < num_pixels; x += kBlock, rgb += 3 * kBlock) {
    const size_t count = std::min(kBlock, num_pixels - x);
    load(rgb, count, block);
    for (size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
      Vector r = hn::Load(d, block.red + i);
      Vector g = hn::Load(d, block.green + i);
      Vector b = hn::Load(d, block.blue + i);
      change(r, g, b);
      hn::Store(r, d, block.red + i);
      hn::Store(g, d, block.green + i);
      hn::Store(b, d, block.blue + i);
    }
    store(block, count, rgb);
  }
}

/// Exact: ten thousand times the grey is a whole number, so half of it more is at least
/// 1/20000 away from where the grey steps, which is more than rounding moves it.
HWY_INLINE Vector grey_of(Vector r, Vector g, Vector b) {
  const Floats d;
  const auto parts =
      hn::Add(hn::Add(hn::Mul(r, hn::Set(d, 2989.0F)), hn::Mul(g, hn::Set(d, 5870.0F))),
              hn::Add(hn::Mul(b, hn::Set(d, 1140.0F)), hn::Set(d, 0.5F)));
  return hn::Floor(hn::Mul(parts, hn::Set(d, 1e-4F)));
}

uint64_t sum_of_greys(const uint8_t* rgb, size_t num_pixels) {
  const Floats d;
  Block block;
  uint64_t total = 0;
  for (size_t x = 0; x < num_pixels; x += kBlock, rgb += 3 * kBlock) {
    load(rgb, std::min(kBlock, num_pixels - x), block);
    for (size_t i = 0; i < kBlock; i += hn::Lanes(d)) {
      hn::Store(grey_of(hn::Load(d, block.red + i), hn::Load(d, block.green + i),
                        hn::Load(d, block.blue + i)),
                d, block.red + i);
    }
    int sum = 0;
    for (const float grey : block.red) sum += static_cast<int>(grey);
    total += static_cast<uint64_t>(sum);
  }
  return total;
}

HWY_INLINE Vector between(Vector value, float low, float high) {
  const Floats d;
  return hn::Min(hn::Max(value, hn::Set(d, low)), hn::Set(d, high));
}

void blend_with_grey(uint8_t* rgb, size_t num_pixels, float share, float grey_share) {
  const Floats d;
  change_pixels(rgb, num_pixels, [&](Vector& r, Vector& g, Vector& b) HWY_ATTR {
    const auto grey = hn::Mul(grey_of(r, g, b), hn::Set(d, grey_share));
    const auto part = hn::Set(d, share);
    r = between(hn::Add(hn::Mul(r, part), grey), 0, 255);
    g = between(hn::Add(hn::Mul(g, part), grey), 0, 255);
    b = between(hn::Add(hn::Mul(b, part), grey), 0, 255);
  });
}

/// Position on the colour circle in [0, 1); `range` is not 0.
HWY_INLINE Vector hue_of(Vector r, Vector g, Vector b, Vector largest, Vector range) {
  const Floats d;
  const auto from_red = hn::Div(hn::Sub(largest, r), range);
  const auto from_green = hn::Div(hn::Sub(largest, g), range);
  const auto from_blue = hn::Div(hn::Sub(largest, b), range);
  const auto red = hn::Sub(from_blue, from_green);
  const auto green = hn::Sub(hn::Add(from_red, hn::Set(d, 2.0F)), from_blue);
  const auto blue = hn::Sub(hn::Add(from_green, hn::Set(d, 4.0F)), from_red);
  const auto sixths = hn::IfThenElse(hn::Eq(largest, r), red,
                                     hn::IfThenElse(hn::Eq(largest, g), green, blue));
  const auto hue = hn::Add(hn::Mul(sixths, hn::Set(d, 1.0F / 6)), hn::Set(d, 1.0F));
  return hn::Sub(hue, hn::Floor(hue));
}

/// Of the sector of the circle: 0 is red to yellow.
HWY_INLINE Vector pick(Vector sector, Vector s0, Vector s1, Vector s2, Vector s3,
                       Vector s4, Vector s5) {
  const Floats d;
  const auto is = [&](float number)
                      HWY_ATTR { return hn::Eq(sector, hn::Set(d, number)); };
  return hn::IfThenElse(
      is(1), s1,
      hn::IfThenElse(
          is(2), s2,
          hn::IfThenElse(is(3), s3,
                         hn::IfThenElse(is(4), s4, hn::IfThenElse(is(5), s5, s0)))));
}

/// Through hue, saturation and value in [0, 1], as Pillow's Convert.c does.
void turn_hue(uint8_t* rgb, size_t num_pixels, float turn) {
  const Floats d;
  constexpr float kToUnit = 1.0F / 255;
  constexpr float kToBytes = 255.999F;
  const auto one = hn::Set(d, 1.0F);
  change_pixels(rgb, num_pixels, [&](Vector& r, Vector& g, Vector& b) HWY_ATTR {
    r = hn::Mul(r, hn::Set(d, kToUnit));
    g = hn::Mul(g, hn::Set(d, kToUnit));
    b = hn::Mul(b, hn::Set(d, kToUnit));
    const auto value = hn::Max(hn::Max(r, g), b);
    const auto range = hn::Sub(value, hn::Min(hn::Min(r, g), b));
    const auto is_grey = hn::Eq(range, hn::Zero(d));
    const auto saturation = hn::Div(range, hn::IfThenElse(is_grey, one, value));
    auto hue = hue_of(r, g, b, value, hn::IfThenElse(is_grey, one, range));
    hue = hn::Add(hue, hn::Set(d, turn));
    const auto sixths = hn::Mul(hn::Sub(hue, hn::Floor(hue)), hn::Set(d, 6.0F));
    const auto sector = hn::Floor(sixths);  // 6 after rounding is 0.
    const auto along = hn::Mul(saturation, hn::Sub(sixths, sector));
    const auto pale = hn::Sub(one, saturation);
    const auto low = between(hn::Mul(pale, value), 0, 1);
    const auto falling = between(hn::Mul(hn::Sub(one, along), value), 0, 1);
    const auto rising = between(hn::Mul(hn::Add(along, pale), value), 0, 1);
    const auto scale = hn::Set(d, kToBytes);
    r = hn::Mul(pick(sector, value, falling, low, low, rising, value), scale);
    g = hn::Mul(pick(sector, rising, value, value, falling, low, low), scale);
    b = hn::Mul(pick(sector, low, low, rising, value, value, falling), scale);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace stoker::data::detail
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace stoker::data::detail {

HWY_EXPORT(sum_of_greys);
HWY_EXPORT(blend_with_grey);
HWY_EXPORT(turn_hue);

uint64_t sum_of_greys(const uint8_t* rgb, size_t num_pixels) {
  return HWY_DYNAMIC_DISPATCH(sum_of_greys)(rgb, num_pixels);
}

void blend_with_grey(uint8_t* rgb, size_t num_pixels, float share, float grey_share) {
  HWY_DYNAMIC_DISPATCH(blend_with_grey)(rgb, num_pixels, share, grey_share);
}

void turn_hue(uint8_t* rgb, size_t num_pixels, float turn) {
  HWY_DYNAMIC_DISPATCH(turn_hue)(rgb, num_pixels, turn);
}

}  // namespace stoker::data::detail
#endif  // HWY_ONCE
