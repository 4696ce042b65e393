#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"
#include "stoker/data/augment/detail/policy.h"

namespace stoker::data::detail {
namespace {

/// One of the 25 rules of a learned policy, each two steps done with a probability (Cubuk
/// et al., "AutoAugment: learning augmentation strategies from data", 2019), as
/// torchvision's.
class AutoAugment final : public Operation {
 public:
  AutoAugment(std::string policy, const Sampling& sampling)
      : policy_(std::move(policy)),
        rules_(auto_augment_rules(policy_)),
        sampling_(sampling) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    constexpr int kNumBins = 10;
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    const Size image{canvas.height(), canvas.width()};
    Status status = Ok{};
    for (const RuleStep& each : rules_[random.below(rules_.size())]) {
      if (!status.ok() || !random.bernoulli(each.probability)) continue;
      const double magnitude =
          magnitude_of(each.step, kAutoAugmentSpace, each.bin, kNumBins, image);
      status = apply_step(canvas, each.step, draw_sign(each.step, magnitude, random),
                          sampling_);
    }
    return status;
  }
  std::string describe() const override {
    return cat("auto_augment ", policy_, ", ", text(sampling_));
  }

 private:
  std::string policy_;
  std::span<const Rule> rules_;
  Sampling sampling_;
};

}  // namespace

std::unique_ptr<Operation> make_auto_augment(config::Reader& reader, int channels) {
  std::string policy = "imagenet";
  reader.read_choice("policy", policy, {"imagenet", "cifar10", "svhn"});
  return std::make_unique<AutoAugment>(policy,
                                       read_sampling(reader, channels, std::nullopt));
}

}  // namespace stoker::data::detail
