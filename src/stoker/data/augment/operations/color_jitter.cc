#include <array>
#include <utility>

#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/adjust.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data::detail {
namespace {

/// One kind of change, and what its factor is drawn from.
struct Jitter {
  const char* name;
  void (*change)(Image& image, double factor);
  double none;  ///< The factor that changes nothing.
  config::Range allowed;
  Interval factors{};
  bool is_idle() const { return factors[0] == none && factors[1] == none; }
};

using Jitters = std::array<Jitter, 4>;

Jitters all_jitters() {
  constexpr config::Range kFactors{0, 100};
  return {{{"brightness", adjust_brightness, 1, kFactors},
           {"contrast", adjust_contrast, 1, kFactors},
           {"saturation", adjust_saturation, 1, kFactors},
           {"hue", adjust_hue, 0, {-0.5, 0.5}}}};
}

/// Brightness, contrast, saturation and hue, in an order drawn for each sample, as
/// torchvision's ColorJitter.
class ColorJitter final : public Operation {
 public:
  ColorJitter(const Jitters& jitters, double probability)
      : jitters_(jitters), probability_(static_cast<float>(probability)) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    if (!random.bernoulli(probability_)) return Ok{};
    std::array<size_t, 4> order{0, 1, 2, 3};
    for (size_t i = order.size() - 1; i > 0; --i)
      std::swap(order[i], order[random.below(i + 1)]);
    std::array<double, 4> factors{};
    for (size_t i = 0; i < factors.size(); ++i)
      factors[i] = draw(jitters_[i].factors, random);
    return canvas.change([&](Image& image) {
      for (const size_t i : order) {
        if (!jitters_[i].is_idle()) jitters_[i].change(image, factors[i]);
      }
    });
  }

  std::string describe() const override {
    std::string line = "color_jitter";
    for (const Jitter& jitter : jitters_) {
      if (!jitter.is_idle())
        line += cat(", ", jitter.name, " ", range_text(jitter.factors));
    }
    return line + cat(", with probability ", double{probability_});
  }

 private:
  Jitters jitters_;
  float probability_;
};

}  // namespace

std::unique_ptr<Operation> make_color_jitter(config::Reader& reader, int /*channels*/) {
  Jitters jitters = all_jitters();
  for (Jitter& jitter : jitters)
    jitter.factors = read_spread(reader, jitter.name, jitter.none, jitter.allowed);
  return std::make_unique<ColorJitter>(jitters, read_probability(reader, 1));
}

}  // namespace stoker::data::detail
