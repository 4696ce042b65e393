#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data::detail {
namespace {

class HorizontalFlip final : public Operation {
 public:
  HorizontalFlip(double probability, bool alternate)
      : probability_(static_cast<float>(probability)), alternate_(alternate) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    KeyedRandom random(key.seed, alternate_ ? 0 : key.epoch, key.sample, index);
    const bool chosen = random.bernoulli(probability_);
    const bool odd_epoch = alternate_ && key.epoch % 2 == 1;
    if (chosen != odd_epoch) canvas.flip_columns();
    return Ok{};
  }
  std::string describe() const override {
    if (alternate_) return "hflip in every other epoch";
    return cat("hflip with probability ", double{probability_});
  }

 private:
  float probability_;
  bool alternate_;
};

class VerticalFlip final : public Operation {
 public:
  explicit VerticalFlip(double probability)
      : probability_(static_cast<float>(probability)) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    if (random.bernoulli(probability_)) canvas.flip_rows();
    return Ok{};
  }
  std::string describe() const override {
    return cat("vflip with probability ", double{probability_});
  }

 private:
  float probability_;
};

}  // namespace

/// With `alternate` a sample is flipped in every other epoch, in the first with
/// probability p (Jordan, "94% on CIFAR-10 in 3.29 seconds on a single GPU", 2024).
std::unique_ptr<Operation> make_hflip(config::Reader& reader, int /*channels*/) {
  const double probability = read_probability(reader);
  bool alternate = false;
  reader.read("alternate", alternate);
  return std::make_unique<HorizontalFlip>(probability, alternate);
}

std::unique_ptr<Operation> make_vflip(config::Reader& reader, int /*channels*/) {
  return std::make_unique<VerticalFlip>(read_probability(reader));
}

}  // namespace stoker::data::detail
