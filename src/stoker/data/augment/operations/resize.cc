#include <cmath>

#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data::detail {
namespace {

class Resize final : public Operation {
 public:
  Resize(std::vector<int> sides, Filter filter)
      : sides_(std::move(sides)), filter_(filter) {}

  Status apply(Canvas& canvas, const SampleKey&, uint32_t) const override {
    constexpr int kMaxSide = 1 << 20;
    const Size size = size_after({canvas.height(), canvas.width()});
    if (size.width > kMaxSide || size.height > kMaxSide) {
      return Failure{cat("resize: an image of ", text({canvas.height(), canvas.width()}),
                         " would become ", text(size))};
    }
    return canvas.resize(size.width, size.height, filter_);
  }

  Size size_after(Size before) const override {
    if (sides_.size() == 2) return {sides_[0], sides_[1]};
    if (!before.known()) return {};
    const auto longer = [this](int other, int shorter) {
      return static_cast<int>(int64_t{sides_[0]} * other / shorter);
    };
    if (before.width <= before.height)
      return {longer(before.height, before.width), sides_[0]};
    return {sides_[0], longer(before.width, before.height)};
  }

  std::string describe() const override {
    if (sides_.size() == 2)
      return cat("resize ", text({sides_[0], sides_[1]}), text(filter_));
    return cat("resize shorter side to ", sides_[0], text(filter_));
  }

 private:
  std::vector<int> sides_;
  Filter filter_;
};

}  // namespace

std::unique_ptr<Operation> make_resize(config::Reader& reader, int /*channels*/) {
  return std::make_unique<Resize>(read_side_or_size(reader), read_filter(reader));
}

}  // namespace stoker::data::detail
