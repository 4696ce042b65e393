#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data::detail {
namespace {

/// (image - crop) / 2, halves to even; torchvision pads what is missing, the odd pixel
/// after.
int centre_offset(int image, int crop) {
  const int rest = image - crop;
  if (rest < 0) return -(-rest / 2);
  const int half = rest / 2;
  return rest % 2 == 1 && half % 2 == 1 ? half + 1 : half;
}

class CenterCrop final : public Operation {
 public:
  explicit CenterCrop(Size size) : size_(size) {}
  Status apply(Canvas& canvas, const SampleKey&, uint32_t) const override {
    return canvas.crop(centre_region({canvas.height(), canvas.width()}, size_));
  }
  Size size_after(Size) const override { return size_; }
  std::string describe() const override { return cat("center_crop ", text(size_)); }

 private:
  Size size_;
};

class RandomCrop final : public Operation {
 public:
  RandomCrop(Size size, int margin, const Padding& padding)
      : size_(size), margin_(margin), padding_(padding) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    const int spare_rows = canvas.height() + 2 * margin_ - size_.height;
    const int spare_columns = canvas.width() + 2 * margin_ - size_.width;
    if (spare_rows < 0 || spare_columns < 0) {
      return Failure{cat("random_crop: expected an image of at least ", text(size_),
                         " with padding ", margin_, ", got ",
                         text({canvas.height(), canvas.width()}), " (resize it first)")};
    }
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    const auto top =
        static_cast<int>(random.below(static_cast<uint64_t>(spare_rows) + 1));
    const auto left =
        static_cast<int>(random.below(static_cast<uint64_t>(spare_columns) + 1));
    return canvas.crop({left - margin_, top - margin_, size_.width, size_.height},
                       padding_);
  }
  Size size_after(Size) const override { return size_; }
  std::string describe() const override {
    return cat("random_crop ", text(size_), ", padding ", margin_,
               padding_.reflect ? " reflect" : "");
  }

 private:
  Size size_;
  int margin_;
  Padding padding_;
};

}  // namespace

Region centre_region(Size image, Size crop) {
  return {centre_offset(image.width, crop.width),
          centre_offset(image.height, crop.height), crop.width, crop.height};
}

std::unique_ptr<Operation> make_center_crop(config::Reader& reader, int /*channels*/) {
  return std::make_unique<CenterCrop>(read_size(reader));
}

std::unique_ptr<Operation> make_random_crop(config::Reader& reader, int channels) {
  const Size size = read_size(reader);
  int64_t margin = 0;
  reader.read("padding", margin, {0, 4096});
  std::string mode = "zero";
  reader.read_choice("mode", mode, {"zero", "reflect"});
  Padding padding{mode == "reflect", read_fill(reader, channels)};
  if (padding.reflect && reader.has("fill"))
    reader.fail("fill", "no fill beside mode reflect");
  return std::make_unique<RandomCrop>(size, static_cast<int>(margin), padding);
}

Chain center_crop_instead(const config::NamedConfig& operation) {
  const config::Node& params = operation.params;
  const config::Node* size = params.is_table() ? params.find("size") : &params;
  config::Node::Table table;
  if (size != nullptr) table.emplace_back("size", *size);
  return {{"center_crop", config::Node(std::move(table), params.where())}};
}

}  // namespace stoker::data::detail
