#include <array>

#include "stoker/data/augment/detail/policy.h"

namespace stoker::data::detail {
namespace {

using enum PolicyStep;
using Rules = std::array<Rule, 25>;

// Step, probability, bin of ten: the tables in the appendix of Cubuk et al.,
// "AutoAugment: learning augmentation strategies from data" (2019), as torchvision has
// them. Steps without a magnitude have bin 0.

constexpr Rules kImagenet = {{
    {{{kPosterize, 0.4F, 8}, {kRotate, 0.6F, 9}}},
    {{{kSolarize, 0.6F, 5}, {kAutoContrast, 0.6F, 0}}},
    {{{kEqualize, 0.8F, 0}, {kEqualize, 0.6F, 0}}},
    {{{kPosterize, 0.6F, 7}, {kPosterize, 0.6F, 6}}},
    {{{kEqualize, 0.4F, 0}, {kSolarize, 0.2F, 4}}},
    {{{kEqualize, 0.4F, 0}, {kRotate, 0.8F, 8}}},
    {{{kSolarize, 0.6F, 3}, {kEqualize, 0.6F, 0}}},
    {{{kPosterize, 0.8F, 5}, {kEqualize, 1.0F, 0}}},
    {{{kRotate, 0.2F, 3}, {kSolarize, 0.6F, 8}}},
    {{{kEqualize, 0.6F, 0}, {kPosterize, 0.4F, 6}}},
    {{{kRotate, 0.8F, 8}, {kColor, 0.4F, 0}}},
    {{{kRotate, 0.4F, 9}, {kEqualize, 0.6F, 0}}},
    {{{kEqualize, 0.0F, 0}, {kEqualize, 0.8F, 0}}},
    {{{kInvert, 0.6F, 0}, {kEqualize, 1.0F, 0}}},
    {{{kColor, 0.6F, 4}, {kContrast, 1.0F, 8}}},
    {{{kRotate, 0.8F, 8}, {kColor, 1.0F, 2}}},
    {{{kColor, 0.8F, 8}, {kSolarize, 0.8F, 7}}},
    {{{kSharpness, 0.4F, 7}, {kInvert, 0.6F, 0}}},
    {{{kShearX, 0.6F, 5}, {kEqualize, 1.0F, 0}}},
    {{{kColor, 0.4F, 0}, {kEqualize, 0.6F, 0}}},
    {{{kEqualize, 0.4F, 0}, {kSolarize, 0.2F, 4}}},
    {{{kSolarize, 0.6F, 5}, {kAutoContrast, 0.6F, 0}}},
    {{{kInvert, 0.6F, 0}, {kEqualize, 1.0F, 0}}},
    {{{kColor, 0.6F, 4}, {kContrast, 1.0F, 8}}},
    {{{kEqualize, 0.8F, 0}, {kEqualize, 0.6F, 0}}},
}};

constexpr Rules kCifar10 = {{
    {{{kInvert, 0.1F, 0}, {kContrast, 0.2F, 6}}},
    {{{kRotate, 0.7F, 2}, {kTranslateX, 0.3F, 9}}},
    {{{kSharpness, 0.8F, 1}, {kSharpness, 0.9F, 3}}},
    {{{kShearY, 0.5F, 8}, {kTranslateY, 0.7F, 9}}},
    {{{kAutoContrast, 0.5F, 0}, {kEqualize, 0.9F, 0}}},
    {{{kShearY, 0.2F, 7}, {kPosterize, 0.3F, 7}}},
    {{{kColor, 0.4F, 3}, {kBrightness, 0.6F, 7}}},
    {{{kSharpness, 0.3F, 9}, {kBrightness, 0.7F, 9}}},
    {{{kEqualize, 0.6F, 0}, {kEqualize, 0.5F, 0}}},
    {{{kContrast, 0.6F, 7}, {kSharpness, 0.6F, 5}}},
    {{{kColor, 0.7F, 7}, {kTranslateX, 0.5F, 8}}},
    {{{kEqualize, 0.3F, 0}, {kAutoContrast, 0.4F, 0}}},
    {{{kTranslateY, 0.4F, 3}, {kSharpness, 0.2F, 6}}},
    {{{kBrightness, 0.9F, 6}, {kColor, 0.2F, 8}}},
    {{{kSolarize, 0.5F, 2}, {kInvert, 0.0F, 0}}},
    {{{kEqualize, 0.2F, 0}, {kAutoContrast, 0.6F, 0}}},
    {{{kEqualize, 0.2F, 0}, {kEqualize, 0.6F, 0}}},
    {{{kColor, 0.9F, 9}, {kEqualize, 0.6F, 0}}},
    {{{kAutoContrast, 0.8F, 0}, {kSolarize, 0.2F, 8}}},
    {{{kBrightness, 0.1F, 3}, {kColor, 0.7F, 0}}},
    {{{kSolarize, 0.4F, 5}, {kAutoContrast, 0.9F, 0}}},
    {{{kTranslateY, 0.9F, 9}, {kTranslateY, 0.7F, 9}}},
    {{{kAutoContrast, 0.9F, 0}, {kSolarize, 0.8F, 3}}},
    {{{kEqualize, 0.8F, 0}, {kInvert, 0.1F, 0}}},
    {{{kTranslateY, 0.7F, 9}, {kAutoContrast, 0.9F, 0}}},
}};

constexpr Rules kSvhn = {{
    {{{kShearX, 0.9F, 4}, {kInvert, 0.2F, 0}}},
    {{{kShearY, 0.9F, 8}, {kInvert, 0.7F, 0}}},
    {{{kEqualize, 0.6F, 0}, {kSolarize, 0.6F, 6}}},
    {{{kInvert, 0.9F, 0}, {kEqualize, 0.6F, 0}}},
    {{{kEqualize, 0.6F, 0}, {kRotate, 0.9F, 3}}},
    {{{kShearX, 0.9F, 4}, {kAutoContrast, 0.8F, 0}}},
    {{{kShearY, 0.9F, 8}, {kInvert, 0.4F, 0}}},
    {{{kShearY, 0.9F, 5}, {kSolarize, 0.2F, 6}}},
    {{{kInvert, 0.9F, 0}, {kAutoContrast, 0.8F, 0}}},
    {{{kEqualize, 0.6F, 0}, {kRotate, 0.9F, 3}}},
    {{{kShearX, 0.9F, 4}, {kSolarize, 0.3F, 3}}},
    {{{kShearY, 0.8F, 8}, {kInvert, 0.7F, 0}}},
    {{{kEqualize, 0.9F, 0}, {kTranslateY, 0.6F, 6}}},
    {{{kInvert, 0.9F, 0}, {kEqualize, 0.6F, 0}}},
    {{{kContrast, 0.3F, 3}, {kRotate, 0.8F, 4}}},
    {{{kInvert, 0.8F, 0}, {kTranslateY, 0.0F, 2}}},
    {{{kShearY, 0.7F, 6}, {kSolarize, 0.4F, 8}}},
    {{{kInvert, 0.6F, 0}, {kRotate, 0.8F, 4}}},
    {{{kShearY, 0.3F, 7}, {kTranslateX, 0.9F, 3}}},
    {{{kShearX, 0.1F, 6}, {kInvert, 0.6F, 0}}},
    {{{kSolarize, 0.7F, 2}, {kTranslateY, 0.6F, 7}}},
    {{{kShearY, 0.8F, 4}, {kInvert, 0.8F, 0}}},
    {{{kShearX, 0.7F, 9}, {kTranslateY, 0.8F, 3}}},
    {{{kShearY, 0.8F, 5}, {kAutoContrast, 0.7F, 0}}},
    {{{kShearX, 0.7F, 2}, {kInvert, 0.1F, 0}}},
}};

}  // namespace

std::span<const Rule> auto_augment_rules(std::string_view policy) {
  if (policy == "imagenet") return kImagenet;
  if (policy == "cifar10") return kCifar10;
  if (policy == "svhn") return kSvhn;
  return {};
}

}  // namespace stoker::data::detail
