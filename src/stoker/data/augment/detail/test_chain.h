#pragma once

// Chains for tests, from the text that a recipe holds.

#include <string>
#include <vector>

#include "stoker/config/recipe.h"
#include "stoker/config/sections.h"
#include "stoker/config/toml.h"
#include "stoker/data/augment/program.h"
#include "stoker/data/codecs/detail/test_images.h"

namespace stoker::data::test {

/// `text` is what stands in the brackets of `augment = [...]`, on line 2 of recipe.toml.
inline std::vector<config::NamedConfig> chain(const std::string& text) {
  const std::string toml =
      "[data]\naugment = [" + text + "]\ntrain = \"x\"\n[model]\nname = \"resnet18\"\n";
  return config::read_recipe(config::parse_toml(toml, "recipe.toml")).data.augment;
}

struct Run {
  std::string text;
  int channels = 3;
  Layout layout = Layout::kNhwc;
  SampleKey key = {};
};

/// The floats that a chain makes of a file, and their shape.
struct Sample {
  int height = 0;
  int width = 0;
  std::vector<float> floats;
  std::string reason;  ///< Why there are none.
  /// The pixel (of layout NHWC) back in 0..255.
  std::vector<int> pixel(int y, int x) const {
    const size_t channels = floats.size() / static_cast<size_t>(height * width);
    std::vector<int> values;
    for (size_t c = 0; c < channels; ++c) {
      const auto at = static_cast<size_t>(y * width + x) * channels + c;
      values.push_back(static_cast<int>(floats[at] * 255 + 0.5F));
    }
    return values;
  }
};

inline Sample run(const AugmentProgram& program, const std::string& file,
                  const SampleKey& key, AugmentScratch& scratch) {
  Sample sample{program.height(), program.width(), {}, {}};
  sample.floats.resize(static_cast<size_t>(program.sample_floats()));
  const Status status = program.run(as_bytes(file), key, sample.floats.data(), scratch);
  if (!status) sample.reason = status.reason();
  return sample;
}

inline Sample run(const Run& request, const std::string& file, int source_height = 32,
                  int source_width = 32) {
  AugmentProgram program(chain(request.text), request.channels, request.layout);
  program.set_size(source_height, source_width);
  AugmentScratch scratch;
  return run(program, file, request.key, scratch);
}

/// A grey PNG with pixels 0, 1, 2 ...: a pixel tells where it came from.
inline std::string numbered(int width, int height) {
  std::vector<uint8_t> pixels(static_cast<size_t>(width * height));
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint8_t>(i);
  return to_png(width, height, pixels, {.colour = PNG_COLOR_TYPE_GRAY});
}

inline std::vector<int> all_pixels(const Sample& sample) {
  std::vector<int> values;
  for (const float value : sample.floats)
    values.push_back(static_cast<int>(value * 255 + 0.5F));
  return values;
}

}  // namespace stoker::data::test
