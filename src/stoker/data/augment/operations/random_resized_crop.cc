#include <algorithm>
#include <cmath>

#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data::detail {
namespace {

/// A part of random area and aspect, resized (Szegedy et al., "Going deeper with
/// convolutions", 2015; drawn as torchvision draws).
class RandomResizedCrop final : public Operation {
 public:
  RandomResizedCrop(Size size, Interval scale, Interval ratio, Filter filter)
      : size_(size), scale_(scale), ratio_(ratio), filter_(filter) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    Status status = canvas.crop(draw({canvas.height(), canvas.width()}, random));
    return status.ok() ? canvas.resize(size_.width, size_.height, filter_) : status;
  }
  Size size_after(Size) const override { return size_; }
  std::string describe() const override {
    return cat("random_resized_crop ", text(size_), ", scale ", scale_[0], " to ",
               scale_[1], ", ratio ", fixed(ratio_[0], 3), " to ", fixed(ratio_[1], 3),
               text(filter_));
  }

 private:
  Region draw(Size image, KeyedRandom& random) const {
    constexpr int kAttempts = 10;
    const double area = static_cast<double>(image.height) * image.width;
    const Interval log_ratio{std::log(ratio_[0]), std::log(ratio_[1])};
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const double target = area * detail::draw(scale_, random);
      const double aspect = std::exp(detail::draw(log_ratio, random));
      const auto width = std::lrint(std::sqrt(target * aspect));
      const auto height = std::lrint(std::sqrt(target / aspect));
      if (width < 1 || width > image.width || height < 1 || height > image.height)
        continue;
      const auto top = random.below(static_cast<uint64_t>(image.height - height) + 1);
      const auto left = random.below(static_cast<uint64_t>(image.width - width) + 1);
      return {static_cast<int>(left), static_cast<int>(top), static_cast<int>(width),
              static_cast<int>(height)};
    }
    return largest_in_the_middle(image);
  }

  Region largest_in_the_middle(Size image) const {
    const double aspect = static_cast<double>(image.width) / image.height;
    Size size = image;
    if (aspect < ratio_[0])
      size.height = static_cast<int>(std::lrint(image.width / ratio_[0]));
    if (aspect > ratio_[1])
      size.width = static_cast<int>(std::lrint(image.height * ratio_[1]));
    size.height = std::max(size.height, 1);
    size.width = std::max(size.width, 1);
    return {(image.width - size.width) / 2, (image.height - size.height) / 2, size.width,
            size.height};
  }

  Size size_;
  Interval scale_;
  Interval ratio_;
  Filter filter_;
};

}  // namespace

std::unique_ptr<Operation> make_random_resized_crop(config::Reader& reader,
                                                    int /*channels*/) {
  const Size size = read_size(reader);
  const Interval scale = read_interval(reader, "scale", {0.08, 1.0}, {1e-6, 1.0});
  const Interval ratio = read_interval(reader, "ratio", {3.0 / 4, 4.0 / 3}, {0.01, 100});
  return std::make_unique<RandomResizedCrop>(size, scale, ratio, read_filter(reader));
}

Chain resize_and_center_crop_instead(const config::NamedConfig& operation) {
  Chain chain = center_crop_instead(operation);
  const config::Node& params = chain.front().params;
  const config::Node* size = params.find("size");
  if (size == nullptr) return chain;
  int64_t larger = 0;
  const auto take = [&larger](const config::Node& node) {
    const auto* side = std::get_if<int64_t>(&node.value());
    if (side != nullptr) larger = std::max(larger, *side);
  };
  take(*size);
  if (size->is_array()) std::for_each(size->array().begin(), size->array().end(), take);
  if (larger == 0) return chain;
  config::Node::Table table;
  table.emplace_back("size", config::Node((larger * 8 + 3) / 7, params.where()));
  const config::Node* filter = operation.params.find("interpolation");
  if (filter != nullptr) table.emplace_back("interpolation", *filter);
  chain.insert(chain.begin(), {"resize", config::Node(std::move(table), params.where())});
  return chain;
}

}  // namespace stoker::data::detail
