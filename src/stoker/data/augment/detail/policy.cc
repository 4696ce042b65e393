#include "stoker/data/augment/detail/policy.h"

#include <cmath>
#include <numbers>

#include "stoker/data/augment/detail/adjust.h"

namespace stoker::data::detail {
namespace {

/// Point `i` of `count` from `low` to `high`, from the nearer end and rounded to float
/// once, as torch.linspace: bin 15 of 31 up to 32 is just below 16 and moves 15 pixels.
double spread(double low, double high, int i, int count) {
  const auto first = static_cast<float>(low);
  const auto last = static_cast<float>(high);
  const double step{(last - first) / static_cast<float>(count - 1)};
  const double point = i < count / 2 ? first + step * i : last - step * (count - 1 - i);
  return double{static_cast<float>(point)};
}

double degrees_of_tangent(double tangent) {
  return std::atan(tangent) * 180 / std::numbers::pi;
}

Status warp_canvas(Canvas& canvas, const Affine& affine, const Sampling& sampling) {
  return canvas.replace(
      [&](const Image& in, Image& out, Buffers&) { warp(in, affine, sampling, out); });
}

/// About the upper left corner.
Affine shear(double tangent_x, double tangent_y) {
  return {.shear_x = degrees_of_tangent(tangent_x),
          .shear_y = degrees_of_tangent(tangent_y),
          .centre = std::array<double, 2>{0, 0}};
}

void change_colours(Image& image, PolicyStep step, double magnitude) {
  switch (step) {
    case PolicyStep::kBrightness:
      return adjust_brightness(image, 1 + magnitude);
    case PolicyStep::kColor:
      return adjust_saturation(image, 1 + magnitude);
    case PolicyStep::kContrast:
      return adjust_contrast(image, 1 + magnitude);
    case PolicyStep::kPosterize:
      return posterize(image, static_cast<int>(magnitude));
    case PolicyStep::kSolarize:
      return solarize(image, 255 * magnitude);
    case PolicyStep::kAutoContrast:
      return autocontrast(image);
    case PolicyStep::kEqualize:
      return equalize(image);
    case PolicyStep::kInvert:
      return invert(image);
    case PolicyStep::kIdentity:
    case PolicyStep::kShearX:
    case PolicyStep::kShearY:
    case PolicyStep::kTranslateX:
    case PolicyStep::kTranslateY:
    case PolicyStep::kRotate:
    case PolicyStep::kSharpness:
      return;
  }
}

}  // namespace

double magnitude_of(PolicyStep step, const PolicySpace& space, int bin, int num_bins,
                    Size image) {
  const auto translation = [&space](int side) {
    return space.translate_pixels + space.translate_share * side;
  };
  switch (step) {
    case PolicyStep::kShearX:
    case PolicyStep::kShearY:
      return spread(0, space.shear, bin, num_bins);
    case PolicyStep::kTranslateX:
      return spread(0, translation(image.width), bin, num_bins);
    case PolicyStep::kTranslateY:
      return spread(0, translation(image.height), bin, num_bins);
    case PolicyStep::kRotate:
      return spread(0, space.degrees, bin, num_bins);
    case PolicyStep::kBrightness:
    case PolicyStep::kColor:
    case PolicyStep::kContrast:
    case PolicyStep::kSharpness:
      return spread(0, space.colour, bin, num_bins);
    case PolicyStep::kPosterize:
      return std::nearbyint(8 - bin / ((num_bins - 1.0) / space.posterize));
    case PolicyStep::kSolarize:
      return spread(1, 0, bin, num_bins);
    case PolicyStep::kIdentity:
    case PolicyStep::kAutoContrast:
    case PolicyStep::kEqualize:
    case PolicyStep::kInvert:
      return 0;
  }
  return 0;
}

bool is_signed(PolicyStep step) {
  return step >= PolicyStep::kShearX && step <= PolicyStep::kSharpness;
}

double draw_sign(PolicyStep step, double magnitude, KeyedRandom& random) {
  return is_signed(step) && random.bernoulli(0.5F) ? -magnitude : magnitude;
}

PolicyStep draw_step(KeyedRandom& random) {
  return static_cast<PolicyStep>(random.below(kNumRandomSteps));
}

Status apply_step(Canvas& canvas, PolicyStep step, double magnitude,
                  const Sampling& sampling) {
  switch (step) {
    case PolicyStep::kIdentity:
      return Ok{};
    case PolicyStep::kShearX:
      return warp_canvas(canvas, shear(magnitude, 0), sampling);
    case PolicyStep::kShearY:
      return warp_canvas(canvas, shear(0, magnitude), sampling);
    case PolicyStep::kTranslateX:
      return warp_canvas(canvas, {.shift_x = std::trunc(magnitude)}, sampling);
    case PolicyStep::kTranslateY:
      return warp_canvas(canvas, {.shift_y = std::trunc(magnitude)}, sampling);
    case PolicyStep::kRotate:
      return warp_canvas(canvas, {.degrees = -magnitude}, sampling);
    case PolicyStep::kSharpness:
      return canvas.replace([&](const Image& in, Image& out, Buffers&) {
        adjust_sharpness(in, 1 + magnitude, out);
      });
    case PolicyStep::kBrightness:
    case PolicyStep::kColor:
    case PolicyStep::kContrast:
    case PolicyStep::kPosterize:
    case PolicyStep::kSolarize:
    case PolicyStep::kAutoContrast:
    case PolicyStep::kEqualize:
    case PolicyStep::kInvert:
      return canvas.change([&](Image& image) { change_colours(image, step, magnitude); });
  }
  return Ok{};
}

}  // namespace stoker::data::detail
