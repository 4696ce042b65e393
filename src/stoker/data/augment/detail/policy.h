#pragma once

#include <array>
#include <span>
#include <string_view>

#include "stoker/base/random.h"
#include "stoker/data/augment/detail/affine.h"
#include "stoker/data/augment/detail/canvas.h"
#include "stoker/data/augment/detail/operation.h"

namespace stoker::data::detail {

/// What learned and random policies choose from, in torchvision's order.
enum class PolicyStep {
  kIdentity,
  kShearX,
  kShearY,
  kTranslateX,
  kTranslateY,
  kRotate,
  kBrightness,
  kColor,
  kContrast,
  kSharpness,
  kPosterize,
  kSolarize,
  kAutoContrast,
  kEqualize,
  kInvert,
};
/// All but the inversion, which only AutoAugment has.
constexpr int kNumRandomSteps = 14;

/// How far the strongest bin of each kind goes.
struct PolicySpace {
  double shear;             ///< Tangent.
  double translate_pixels;  ///< Of an image of any size, or:
  double translate_share;   ///< of width or height.
  double degrees;
  double colour;  ///< Brightness, colour, contrast, sharpness: 1 +- this.
  int posterize;  ///< Bits that go.
};
/// Of AutoAugment (Cubuk et al., 2019) and RandAugment (Cubuk et al., 2020).
constexpr PolicySpace kAutoAugmentSpace{0.3, 0, 150.0 / 331.0, 30, 0.9, 4};
/// Of TrivialAugment Wide (Müller and Hutter, 2021).
constexpr PolicySpace kWideSpace{0.99, 32, 0, 135, 0.99, 6};

/// The magnitude of a bin from 0 to `num_bins` - 1, without sign; 0 where a step has
/// none.
double magnitude_of(PolicyStep step, const PolicySpace& space, int bin, int num_bins,
                    Size image);

/// Whether a step goes either way with equal chance.
bool is_signed(PolicyStep step);

/// A magnitude with its sign drawn.
double draw_sign(PolicyStep step, double magnitude, KeyedRandom& random);

/// Any of the first fourteen, all alike.
PolicyStep draw_step(KeyedRandom& random);

/// Applies one step as torchvision's AutoAugment, RandAugment and TrivialAugmentWide do.
Status apply_step(Canvas& canvas, PolicyStep step, double magnitude,
                  const Sampling& sampling);

/// A step of a learned policy: done with a probability, at a bin of ten.
struct RuleStep {
  PolicyStep step;
  float probability;
  int bin;
};
using Rule = std::array<RuleStep, 2>;

/// The 25 rules of a policy: "imagenet", "cifar10" or "svhn"; nothing for another name.
std::span<const Rule> auto_augment_rules(std::string_view policy);

}  // namespace stoker::data::detail
