#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"
#include "stoker/data/augment/detail/policy.h"

namespace stoker::data::detail {
namespace {

/// One of fourteen steps at a random magnitude (Müller and Hutter, "TrivialAugment:
/// tuning-free yet state-of-the-art data augmentation", 2021), as torchvision's.
class TrivialAugmentWide final : public Operation {
 public:
  TrivialAugmentWide(int num_bins, const Sampling& sampling)
      : num_bins_(num_bins), sampling_(sampling) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    const PolicyStep step = draw_step(random);
    const auto bin = static_cast<int>(random.below(static_cast<uint64_t>(num_bins_)));
    const double magnitude =
        magnitude_of(step, kWideSpace, bin, num_bins_, {canvas.height(), canvas.width()});
    return apply_step(canvas, step, draw_sign(step, magnitude, random), sampling_);
  }
  std::string describe() const override {
    return cat("trivial_augment_wide, ", num_bins_, " magnitudes, ", text(sampling_));
  }

 private:
  int num_bins_;
  Sampling sampling_;
};

}  // namespace

std::unique_ptr<Operation> make_trivial_augment_wide(config::Reader& reader,
                                                     int channels) {
  int64_t num_bins = 31;
  reader.read("num_magnitude_bins", num_bins, {2, 1001});
  return std::make_unique<TrivialAugmentWide>(
      static_cast<int>(num_bins), read_sampling(reader, channels, std::nullopt));
}

}  // namespace stoker::data::detail
