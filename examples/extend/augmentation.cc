#include "augmentation.h"

#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data::detail {

namespace {
/// For images that have no upper side, as those of a microscope.
class HalfTurn final : public Operation {
 public:
  explicit HalfTurn(double probability) : probability_(static_cast<float>(probability)) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    if (random.bernoulli(probability_)) {
      canvas.flip_columns();
      canvas.flip_rows();
    }
    return Ok{};
  }
  std::string describe() const override {
    return cat("half_turn with probability ", double{probability_});
  }

 private:
  float probability_;
};
}  // namespace

std::unique_ptr<Operation> make_half_turn(config::Reader& reader, int /*channels*/) {
  return std::make_unique<HalfTurn>(read_probability(reader));
}

}  // namespace stoker::data::detail
