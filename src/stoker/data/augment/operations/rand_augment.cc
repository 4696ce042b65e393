#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"
#include "stoker/data/augment/detail/policy.h"

namespace stoker::data::detail {
namespace {

/// A few of fourteen steps, all at one magnitude (Cubuk et al., "RandAugment: practical
/// automated data augmentation with a reduced search space", 2020), as torchvision's.
class RandAugment final : public Operation {
 public:
  RandAugment(int num_ops, int magnitude, int num_bins, const Sampling& sampling)
      : num_ops_(num_ops),
        magnitude_(magnitude),
        num_bins_(num_bins),
        sampling_(sampling) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    Status status = Ok{};
    const Size image{canvas.height(), canvas.width()};
    for (int i = 0; status.ok() && i < num_ops_; ++i) {
      const PolicyStep step = draw_step(random);
      const double magnitude =
          magnitude_of(step, kAutoAugmentSpace, magnitude_, num_bins_, image);
      status = apply_step(canvas, step, draw_sign(step, magnitude, random), sampling_);
    }
    return status;
  }
  std::string describe() const override {
    return cat("rand_augment ", num_ops_, " operations, magnitude ", magnitude_, " of ",
               num_bins_ - 1, ", ", text(sampling_));
  }

 private:
  int num_ops_;
  int magnitude_;
  int num_bins_;
  Sampling sampling_;
};

}  // namespace

std::unique_ptr<Operation> make_rand_augment(config::Reader& reader, int channels) {
  int64_t num_ops = 2;
  int64_t magnitude = 9;
  int64_t num_bins = 31;
  reader.read("num_ops", num_ops, {1, 64});
  reader.read("num_magnitude_bins", num_bins, {2, 1001});
  reader.read("magnitude", magnitude, {0, static_cast<double>(num_bins - 1)});
  return std::make_unique<RandAugment>(
      static_cast<int>(num_ops), static_cast<int>(magnitude), static_cast<int>(num_bins),
      read_sampling(reader, channels, std::nullopt));
}

}  // namespace stoker::data::detail
