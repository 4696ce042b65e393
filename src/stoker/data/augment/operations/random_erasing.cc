#include <cmath>

#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data::detail {
namespace {

/// A rectangle of random place, area and aspect, filled or made noise (Zhong et al.,
/// "Random erasing data augmentation", 2017; drawn as torchvision draws).
class RandomErasing final : public Operation {
 public:
  RandomErasing(double probability, const Interval& scale, const Interval& ratio,
                const std::optional<Colour>& fill)
      : probability_(static_cast<float>(probability)),
        scale_(scale),
        log_ratio_{std::log(ratio[0]), std::log(ratio[1])},
        fill_(fill) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    if (!random.bernoulli(probability_)) return Ok{};
    const Region region = draw_region({canvas.height(), canvas.width()}, random);
    if (region.width == 0) return Ok{};
    if (fill_) return canvas.erase(region, *fill_);
    return canvas.change([&](Image& image) { make_noise(image, region, random); });
  }
  std::string describe() const override {
    return cat("random_erasing with probability ", double{probability_}, ", scale ",
               range_text(scale_), fill_ ? "" : ", noise");
  }

 private:
  /// Empty when ten attempts do not fit.
  Region draw_region(Size image, KeyedRandom& random) const {
    constexpr int kAttempts = 10;
    const double area = static_cast<double>(image.height) * image.width;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const double target = area * draw(scale_, random);
      const double aspect = std::exp(draw(log_ratio_, random));
      const auto height = static_cast<int>(std::lrint(std::sqrt(target * aspect)));
      const auto width = static_cast<int>(std::lrint(std::sqrt(target / aspect)));
      if (height >= image.height || width >= image.width || height < 1 || width < 1)
        continue;
      const auto top = random.below(static_cast<uint64_t>(image.height - height) + 1);
      const auto left = random.below(static_cast<uint64_t>(image.width - width) + 1);
      return {static_cast<int>(left), static_cast<int>(top), width, height};
    }
    return {};
  }

  static void make_noise(Image& image, const Region& region, KeyedRandom& random) {
    const auto channels = static_cast<size_t>(image.channels);
    const size_t count = static_cast<size_t>(region.width) * channels;
    for (int y = region.y; y < region.y + region.height; ++y) {
      uint8_t* const row = image.row(y) + static_cast<size_t>(region.x) * channels;
      uint32_t bits = 0;
      for (size_t i = 0; i < count; ++i, bits >>= 8) {
        if (i % 4 == 0) bits = random.next_u32();
        row[i] = static_cast<uint8_t>(bits);
      }
    }
  }

  float probability_;
  Interval scale_;
  Interval log_ratio_;
  std::optional<Colour> fill_;
};

/// `fill = "random"`, or as elsewhere.
std::optional<Colour> read_fill_or_noise(config::Reader& reader, int channels) {
  const config::Node* node = reader.child("fill");
  if (node == nullptr || !node->is_string()) return read_fill(reader, channels);
  std::string fill;
  reader.read_choice("fill", fill, {"random"});
  return std::nullopt;
}

}  // namespace

std::unique_ptr<Operation> make_random_erasing(config::Reader& reader, int channels) {
  const double probability = read_probability(reader);
  const Interval scale = read_interval(reader, "scale", {0.02, 0.33}, {0, 1});
  const Interval ratio = read_interval(reader, "ratio", {0.3, 3.3}, {0.01, 100});
  return std::make_unique<RandomErasing>(probability, scale, ratio,
                                         read_fill_or_noise(reader, channels));
}

}  // namespace stoker::data::detail
