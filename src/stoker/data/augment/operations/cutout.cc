#include <algorithm>

#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data::detail {
namespace {

/// A square with its centre anywhere in the image, cut where it leaves it (DeVries and
/// Taylor, "Improved regularization of convolutional neural networks with cutout", 2017).
class Cutout final : public Operation {
 public:
  Cutout(int size, const Colour& fill) : size_(size), fill_(fill) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    const Span rows = draw(canvas.height(), random);
    const Span columns = draw(canvas.width(), random);
    return canvas.erase(
        {columns.begin, rows.begin, columns.end - columns.begin, rows.end - rows.begin},
        fill_);
  }
  std::string describe() const override { return cat("cutout ", text({size_, size_})); }

 private:
  struct Span {
    int begin;
    int end;
  };
  Span draw(int length, KeyedRandom& random) const {
    const auto centre = static_cast<int>(random.below(static_cast<uint64_t>(length)));
    const int begin = centre - size_ / 2;
    return {std::max(begin, 0), std::min(begin + size_, length)};
  }

  int size_;
  Colour fill_;
};

}  // namespace

std::unique_ptr<Operation> make_cutout(config::Reader& reader, int channels) {
  reader.require("size");
  int64_t size = 1;
  reader.read("size", size, {1, 65535});
  return std::make_unique<Cutout>(static_cast<int>(size), read_fill(reader, channels));
}

}  // namespace stoker::data::detail
