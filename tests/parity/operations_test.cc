// Each operation with given parameters against torchvision's transforms v2.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/config/sections.h"
#include "stoker/config/toml.h"
#include "stoker/data/augment/detail/canvas.h"
#include "stoker/data/augment/detail/policy.h"
#include "stoker/data/augment/program.h"

namespace stoker::parity {
namespace {

using data::detail::PolicyStep;

std::string read_source(const std::string& file) {
  return read_file(std::filesystem::path(STOKER_SOURCE_DIR) / file);
}

const nlohmann::json& golden() {
  static const auto json =
      nlohmann::json::parse(read_source("tests/golden/operations.json"));
  return json;
}

std::span<const std::byte> as_bytes(const std::string& content) {
  return std::as_bytes(std::span(content));
}

/// The bytes of operations.safetensors, by name: [C, H, W].
class Pixels {
 public:
  Pixels() : content_(read_source("tests/golden/operations.safetensors")) {
    uint64_t header_bytes = 0;
    std::memcpy(&header_bytes, content_.data(), sizeof header_bytes);
    begin_ = sizeof header_bytes + header_bytes;
    header_ = nlohmann::json::parse(content_.substr(sizeof header_bytes, header_bytes));
  }
  std::vector<size_t> shape(const std::string& name) const {
    return header_.at(name).at("shape");
  }
  std::span<const uint8_t> bytes(const std::string& name) const {
    const std::vector<size_t> ends = header_.at(name).at("data_offsets");
    const auto* all = reinterpret_cast<const uint8_t*>(content_.data());
    return {all + begin_ + ends[0], ends[1] - ends[0]};
  }

 private:
  std::string content_;
  size_t begin_ = 0;
  nlohmann::json header_;
};

std::vector<config::NamedConfig> chain_of(const std::string& text) {
  return config::read_recipe(
             config::parse_toml("[data]\naugment = [" + text +
                                    "]\ntrain = \"x\"\n[model]\nname = \"resnet18\"\n",
                                "recipe.toml"))
      .data.augment;
}

PolicyStep step_named(const std::string& name) {
  const std::vector<std::string> names = {
      "Identity",  "ShearX",     "ShearY",       "TranslateX", "TranslateY",
      "Rotate",    "Brightness", "Color",        "Contrast",   "Sharpness",
      "Posterize", "Solarize",   "AutoContrast", "Equalize",   "Invert"};
  const auto found = std::find(names.begin(), names.end(), name);
  return static_cast<PolicyStep>(found - names.begin());
}

/// [C, H, W] in levels of 255, or why there is nothing.
Result<std::vector<float>> ours(const nlohmann::json& each,
                                const std::vector<size_t>& shape) {
  const std::string file = read_source(each["file"]);
  const auto channels = static_cast<int>(shape[0]);
  std::vector<float> sample(shape[0] * shape[1] * shape[2]);
  data::AugmentScratch scratch;
  Status status = Ok{};
  if (each.contains("step")) {
    data::detail::Canvas canvas(as_bytes(file), channels, scratch.buffers());
    status = canvas.open();
    if (status.ok())
      status = apply_step(canvas, step_named(each["step"]), each["magnitude"], {});
    constexpr double kZero = 0;
    constexpr double kOne = 1;
    const auto unit = data::detail::Normalization::of({&kZero, 1}, {&kOne, 1});
    if (status.ok()) status = canvas.write(unit, data::Layout::kNchw, sample.data());
  } else {
    data::AugmentProgram program(chain_of(each["chain"]), channels, data::Layout::kNchw);
    program.set_size(each["source_height"], each["source_width"]);
    if (program.sample_floats() != static_cast<int64_t>(sample.size()))
      return Failure{"another size"};
    status = program.run(as_bytes(file), {}, sample.data(), scratch);
  }
  if (!status) return Failure{status.reason()};
  for (float& value : sample) value *= 255;
  return sample;
}

TEST(Operations, GiveThePixelsOfTorchvision) {
  const auto& cases = golden()["cases"];
  ASSERT_GE(cases.size(), 120U);
  const Pixels pixels;
  for (const auto& each : cases) {
    const std::string name = each["name"];
    const auto expected = pixels.bytes(name);
    const auto got = ours(each, pixels.shape(name));
    ASSERT_TRUE(got.ok()) << name << ": " << got.reason();
    long most = 0;
    double sum = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
      const long levels = std::abs(std::lround((*got)[i]) - expected[i]);
      most = std::max(most, levels);
      sum += static_cast<double>(levels);
    }
    EXPECT_LE(most, each["levels"]) << name;
    EXPECT_LE(sum / static_cast<double>(expected.size()), 1) << name;
    RecordProperty(name, cat(most, " ", sum / static_cast<double>(expected.size())));
  }
}

TEST(Policies, HaveTorchvisionsMagnitudes) {
  using data::detail::kAutoAugmentSpace;
  using data::detail::kWideSpace;
  for (const auto& [name, space, num_bins] :
       {std::tuple{"rand_augment_31", kAutoAugmentSpace, 31},
        std::tuple{"auto_augment_10", kAutoAugmentSpace, 10},
        std::tuple{"trivial_augment_wide_31", kWideSpace, 31}}) {
    for (const auto& [step, values] : golden()["magnitudes"][name].items()) {
      if (values.is_null()) continue;
      ASSERT_EQ(values.size(), num_bins);
      for (int bin = 0; bin < num_bins; ++bin) {
        const double expected = values[static_cast<size_t>(bin)];
        const double magnitude =
            data::detail::magnitude_of(step_named(step), space, bin, num_bins, {61, 97});
        EXPECT_EQ(magnitude, expected) << name << " " << step << " " << bin;
      }
    }
  }
}

TEST(Policies, HaveTorchvisionsRules) {
  for (const auto& [name, expected] : golden()["policies"].items()) {
    const auto rules = data::detail::auto_augment_rules(name);
    ASSERT_EQ(rules.size(), expected.size()) << name;
    for (size_t i = 0; i < rules.size(); ++i) {
      for (size_t k = 0; k < 2; ++k) {
        const auto& [step, probability, bin] = rules[i].at(k);
        const auto& other = expected[i][k];
        EXPECT_EQ(step, step_named(other[0])) << name << " " << i;
        EXPECT_FLOAT_EQ(probability, other[1].get<float>()) << name << " " << i;
        EXPECT_EQ(bin, other[2].is_null() ? 0 : other[2].get<int>()) << name << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace stoker::parity
