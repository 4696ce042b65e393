#include <cmath>

#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/affine.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data::detail {
namespace {

/// What the numbers of a sample are drawn from.
struct AffineRanges {
  Interval degrees{};
  std::array<double, 2> translate{};  ///< Largest shares of width and height.
  Interval scale{1, 1};
  Interval shear_x{};  ///< Degrees.
  Interval shear_y{};
  std::optional<std::array<double, 2>> centre;
};

/// Turned, shifted, zoomed and sheared within the same frame, as torchvision's
/// RandomAffine.
class RandomAffine final : public Operation {
 public:
  RandomAffine(const AffineRanges& ranges, const Sampling& sampling)
      : ranges_(ranges), sampling_(sampling) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    const Affine affine = draw_affine({canvas.height(), canvas.width()}, random);
    return canvas.replace(
        [&](const Image& in, Image& out, Buffers&) { warp(in, affine, sampling_, out); });
  }
  std::string describe() const override {
    return cat("random_affine by ", range_text(ranges_.degrees), " degrees, shift to ",
               ranges_.translate[0], " and ", ranges_.translate[1], ", scale ",
               range_text(ranges_.scale), ", shear ", range_text(ranges_.shear_x),
               " and ", range_text(ranges_.shear_y), " degrees, ", text(sampling_));
  }

 private:
  Affine draw_affine(Size image, KeyedRandom& random) const {
    const auto shift = [&random](double share, int side) {
      return std::nearbyint(draw({-share * side, share * side}, random));
    };
    Affine affine;
    affine.degrees = draw(ranges_.degrees, random);
    affine.shift_x = shift(ranges_.translate[0], image.width);
    affine.shift_y = shift(ranges_.translate[1], image.height);
    affine.scale = draw(ranges_.scale, random);
    affine.shear_x = draw(ranges_.shear_x, random);
    affine.shear_y = draw(ranges_.shear_y, random);
    affine.centre = ranges_.centre;
    return affine;
  }

  AffineRanges ranges_;
  Sampling sampling_;
};

std::array<double, 2> read_translate(config::Reader& reader) {
  std::vector<double> shares{0, 0};
  reader.read("translate", shares, {0, 1});
  if (shares.size() != 2)
    reader.fail("translate", "[share of the width, share of the height]");
  return {shares[0], shares[1]};
}

/// `shear = 10`, `[low, high]` along x, or `[low, high, low, high]` along x and y.
void read_shear(config::Reader& reader, AffineRanges& ranges) {
  constexpr config::Range kDegrees{-89, 89};
  const config::Node* node = reader.child("shear");
  if (node == nullptr || !node->is_array() || node->array().size() != 4) {
    ranges.shear_x = read_spread(reader, "shear", 0, kDegrees);
    return;
  }
  std::vector<double> ends;
  reader.read("shear", ends, kDegrees);
  if (ends[0] > ends[1] || ends[2] > ends[3])
    reader.fail("shear", "[smallest x, largest x, smallest y, largest y]");
  ranges.shear_x = {ends[0], ends[1]};
  ranges.shear_y = {ends[2], ends[3]};
}

}  // namespace

std::unique_ptr<Operation> make_random_affine(config::Reader& reader, int channels) {
  reader.require("degrees");
  AffineRanges ranges;
  ranges.degrees = read_spread(reader, "degrees", 0, {-360, 360});
  ranges.translate = read_translate(reader);
  ranges.scale = read_interval(reader, "scale", ranges.scale, {0.01, 100});
  read_shear(reader, ranges);
  ranges.centre = read_centre(reader);
  return std::make_unique<RandomAffine>(ranges,
                                        read_sampling(reader, channels, Colour{}));
}

}  // namespace stoker::data::detail
