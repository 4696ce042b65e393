#include <algorithm>
#include <array>

#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/operation.h"
#include "stoker/data/augment/detail/parameters.h"

namespace stoker::data::detail {
namespace {

/// Mean and standard deviation of the training pixels in [0, 1].
struct Statistics {
  const char* name;
  std::array<double, 3> mean;
  std::array<double, 3> std;
};

constexpr std::array kStatistics = {
    Statistics{"cifar10", {0.4914, 0.4822, 0.4465}, {0.2470, 0.2435, 0.2616}},
    Statistics{"cifar100", {0.5071, 0.4865, 0.4409}, {0.2673, 0.2564, 0.2762}},
    Statistics{"imagenet", {0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}},
};

class Normalize final : public Operation {
 public:
  Normalize(std::string label, std::span<const double> mean, std::span<const double> std)
      : label_(std::move(label)), normalization_(Normalization::of(mean, std)) {}
  Status apply(Canvas&, const SampleKey&, uint32_t) const override { return Ok{}; }
  std::string describe() const override { return cat("normalize ", label_); }
  const Normalization* normalization() const override { return &normalization_; }

 private:
  std::string label_;
  Normalization normalization_;
};

std::string list(const std::vector<double>& values) {
  std::vector<std::string> parts;
  for (const double value : values) parts.push_back(cat(value));
  return cat("(", join(parts, ", "), ")");
}

std::unique_ptr<Operation> named(config::Reader& reader, int channels) {
  std::vector<std::string> names;
  for (const Statistics& known : kStatistics) names.emplace_back(known.name);
  std::string name;
  reader.read_choice("name", name, names);
  if (channels != 3) {
    reader.fail("name", cat("{ mean = [...], std = [...] } for ", channels, " channel"));
  }
  const auto* known =
      std::find_if(kStatistics.begin(), kStatistics.end(),
                   [&](const Statistics& each) { return name == each.name; });
  return std::make_unique<Normalize>(name, known->mean, known->std);
}

}  // namespace

std::unique_ptr<Operation> make_normalize(config::Reader& reader, int channels) {
  if (reader.has("name")) return named(reader, channels);
  constexpr double kSmallestStd = 1e-6;
  const auto count = static_cast<size_t>(channels);
  std::vector<double> mean;
  std::vector<double> std;
  reader.read("mean", mean);
  reader.read("std", std, {kSmallestStd});
  if (mean.size() != count) reader.fail("mean", cat("a list of ", channels));
  if (std.size() != count) reader.fail("std", cat("a list of ", channels));
  return std::make_unique<Normalize>(cat("mean ", list(mean), ", std ", list(std)), mean,
                                     std);
}

}  // namespace stoker::data::detail
