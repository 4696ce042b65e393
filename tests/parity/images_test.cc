// Decoded pixels against Pillow and torchvision, augmented ones against torchvision's
// transforms v2.
#include <gtest/gtest.h>

#include "golden.h"
#include "stoker/base/files.h"
#include "stoker/config/sections.h"
#include "stoker/config/toml.h"
#include "stoker/data/augment/program.h"
#include "stoker/data/codecs/image.h"

namespace stoker::parity {
namespace {

std::string read_source(const std::string& file) {
  return read_file(std::filesystem::path(STOKER_SOURCE_DIR) / file);
}

std::span<const std::byte> as_bytes(const std::string& content) {
  return std::as_bytes(std::span(content));
}

TEST(Decode, GivesThePixelsOfPillowAndTorchvision) {
  const auto cases = golden_json("images.json");
  ASSERT_GE(cases.size(), 37U);
  data::ImageDecoder decoder;
  data::Image image;
  for (const auto& each : cases) {
    const std::string name = each["file"];
    const std::string content = read_source(name);
    const auto status = decoder.decode(as_bytes(content), 3, image);
    ASSERT_TRUE(status.ok()) << name << ": " << status.reason();
    EXPECT_EQ(image.width, each["width"]) << name;
    EXPECT_EQ(image.height, each["height"]) << name;
    const auto first = each["first_pixels"].get<std::vector<uint8_t>>();
    EXPECT_EQ(std::vector(image.pixels.data(), image.pixels.data() + first.size()), first)
        << name;
    EXPECT_EQ(crc32(image.pixels.data(), image.pixels.size()), each["crc_rgb"]) << name;
  }
}

TEST(Decode, GivesTheGreyOfTheColours) {
  data::ImageDecoder decoder;
  data::Image image;
  for (const auto& each : golden_json("images.json")) {
    const std::string content = read_source(each["file"]);
    ASSERT_TRUE(decoder.decode(as_bytes(content), 1, image).ok()) << each["file"];
    EXPECT_EQ(crc32(image.pixels.data(), image.pixels.size()), each["crc_grey"])
        << each["file"];
  }
}

std::vector<config::NamedConfig> chain_of(const std::string& text) {
  return config::read_recipe(
             config::parse_toml("[data]\naugment = [" + text +
                                    "]\ntrain = \"x\"\n[model]\nname = \"resnet18\"\n",
                                "recipe.toml"))
      .data.augment;
}

TEST(Augment, GivesThePixelsOfTorchvision) {
  const auto cases = golden_json("augment.json");
  ASSERT_GE(cases.size(), 18U);
  data::AugmentScratch scratch;
  for (const auto& each : cases) {
    const std::string name = each["name"];
    const GoldenImage expected = golden_image(name);
    data::AugmentProgram program(chain_of(each["chain"]), 3, data::Layout::kNchw);
    program.set_size(each["source_height"], each["source_width"]);
    ASSERT_EQ(program.height(), static_cast<int>(expected.height)) << name;
    ASSERT_EQ(program.width(), static_cast<int>(expected.width)) << name;
    std::vector<float> sample(expected.values.size());
    const auto status =
        program.run(as_bytes(read_source(each["file"])), {}, sample.data(), scratch);
    ASSERT_TRUE(status.ok()) << name << ": " << status.reason();
    for (size_t i = 0; i < sample.size(); ++i) {
      if (expected.is_bytes) {
        ASSERT_EQ(std::lround(sample[i] * 255), std::lround(expected.values[i]))
            << name << " value " << i;
      } else {
        ASSERT_NEAR(sample[i], expected.values[i], 1e-6) << name << " value " << i;
      }
    }
  }
}

}  // namespace
}  // namespace stoker::parity
