#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/affine.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data::detail {
namespace {

using Centre = std::optional<std::array<double, 2>>;

/// Turned anticlockwise within the same frame, as torchvision's RandomRotation.
class RandomRotation final : public Operation {
 public:
  RandomRotation(const Interval& degrees, const Centre& centre, const Sampling& sampling)
      : degrees_(degrees), centre_(centre), sampling_(sampling) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    const Affine affine{.degrees = -draw(degrees_, random), .centre = centre_};
    return canvas.replace(
        [&](const Image& in, Image& out, Buffers&) { warp(in, affine, sampling_, out); });
  }
  std::string describe() const override {
    return cat("random_rotation by ", range_text(degrees_), " degrees, ",
               text(sampling_));
  }

 private:
  Interval degrees_;
  Centre centre_;
  Sampling sampling_;
};

}  // namespace

std::unique_ptr<Operation> make_random_rotation(config::Reader& reader, int channels) {
  reader.require("degrees");
  const Interval degrees = read_spread(reader, "degrees", 0, {-360, 360});
  const Centre centre = read_centre(reader);
  return std::make_unique<RandomRotation>(degrees, centre,
                                          read_sampling(reader, channels, Colour{}));
}

}  // namespace stoker::data::detail
