#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/neighbours.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data::detail {
namespace {

/// With a standard deviation drawn for each sample, as torchvision's GaussianBlur.
class GaussianBlur final : public Operation {
 public:
  GaussianBlur(Size kernel, const Interval& sigma, double probability)
      : kernel_(kernel), sigma_(sigma), probability_(static_cast<float>(probability)) {}

  Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const override {
    KeyedRandom random(key.seed, key.epoch, key.sample, index);
    if (!random.bernoulli(probability_)) return Ok{};
    const double sigma = draw(sigma_, random);
    return canvas.replace([&](const Image& in, Image& out, Buffers& buffers) {
      gaussian_blur(in, kernel_.width, kernel_.height, sigma, out, buffers.blur);
    });
  }
  std::string describe() const override {
    return cat("gaussian_blur over ", text(kernel_), " pixels, sigma ",
               range_text(sigma_), ", with probability ", double{probability_});
  }

 private:
  Size kernel_;
  Interval sigma_;
  float probability_;
};

/// `kernel_size = 23` or `[width, height]`, in torchvision's order.
Size read_kernel(config::Reader& reader) {
  constexpr config::Range kSides{1, 999};
  const char* const expected = "an odd integer from 1 to 999 or [width, height] of them";
  const config::Node* node = reader.child("kernel_size");
  std::vector<double> sides;
  if (node != nullptr && node->is_array()) {
    reader.read("kernel_size", sides, kSides);
  } else {
    reader.require("kernel_size");
    int64_t side = 1;
    reader.read("kernel_size", side, kSides);
    sides.assign(2, static_cast<double>(side));
  }
  if (sides.size() != 2) reader.fail("kernel_size", expected);
  const Size size{static_cast<int>(sides[1]), static_cast<int>(sides[0])};
  const bool whole = size.width == sides[0] && size.height == sides[1];
  if (!whole || size.width % 2 == 0 || size.height % 2 == 0)
    reader.fail("kernel_size", expected);
  return size;
}

/// `sigma = 1.5` or `[smallest, largest]`.
Interval read_sigma(config::Reader& reader) {
  constexpr config::Range kSigma{0.01, 1000};
  const config::Node* node = reader.child("sigma");
  if (node == nullptr || node->is_array())
    return read_interval(reader, "sigma", {0.1, 2.0}, kSigma);
  double sigma = 1;
  reader.read("sigma", sigma, kSigma);
  return {sigma, sigma};
}

}  // namespace

std::unique_ptr<Operation> make_gaussian_blur(config::Reader& reader, int /*channels*/) {
  const Size kernel = read_kernel(reader);
  const Interval sigma = read_sigma(reader);
  return std::make_unique<GaussianBlur>(kernel, sigma, read_probability(reader, 1));
}

}  // namespace stoker::data::detail
