#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/adjust.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data::detail {
namespace {

/// Grey in all channels now and then, as torchvision's RandomGrayscale.
class RandomGrayscale final : public Operation {
 public:
  explicit RandomGrayscale(double probability)
      : probability_(static_cast<float>(probability)) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    return random.bernoulli(probability_) ? canvas.change(make_grey) : Ok{};
  }
  std::string describe() const override {
    return cat("random_grayscale with probability ", double{probability_});
  }

 private:
  float probability_;
};

}  // namespace

std::unique_ptr<Operation> make_random_grayscale(config::Reader& reader,
                                                 int /*channels*/) {
  return std::make_unique<RandomGrayscale>(read_probability(reader, 0.1));
}

}  // namespace stoker::data::detail
