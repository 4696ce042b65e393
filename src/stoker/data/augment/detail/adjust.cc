#include "stoker/data/augment/detail/adjust.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "stoker/data/augment/detail/colour.h"

namespace stoker::data::detail {
namespace {

/// What becomes of each value of a byte.
using Table = std::array<uint8_t, 256>;
using Tables = std::array<Table, 3>;  ///< For each channel.
using Counts = std::array<int64_t, 256>;

template <typename Function>
Table table_of(const Function& function) {
  Table table;
  for (int value = 0; value < 256; ++value)
    table[static_cast<size_t>(value)] = function(value);
  return table;
}

/// Cut to a byte and to a whole number.
uint8_t cut(float value) {
  return static_cast<uint8_t>(static_cast<int>(std::clamp(value, 0.0F, 255.0F)));
}

void look_up(Image& image, const Table& table) {
  for (uint8_t& value : image.pixels) value = table[value];
}

void look_up(Image& image, const Tables& tables) {
  if (image.channels == 1) return look_up(image, tables[0]);
  uint8_t* const pixels = image.pixels.data();
  for (size_t i = 0; i + 2 < image.pixels.size(); i += 3) {
    for (size_t c = 0; c < 3; ++c) pixels[i + c] = tables[c][pixels[i + c]];
  }
}

/// A table for each channel, from how often each value occurs in it.
template <typename Function>
void look_up_from_counts(Image& image, const Function& function) {
  std::array<Counts, 3> counts{};
  const auto channels = static_cast<size_t>(image.channels);
  for (size_t i = 0; i < image.pixels.size(); i += channels) {
    for (size_t c = 0; c < channels; ++c) ++counts[c][image.pixels[i + c]];
  }
  Tables tables;
  for (size_t c = 0; c < channels; ++c) tables[c] = function(counts[c]);
  look_up(image, tables);
}

size_t num_pixels(const Image& image) {
  return image.pixels.size() / static_cast<size_t>(image.channels);
}

float mean_grey(const Image& image) {
  uint64_t sum = 0;
  if (image.channels == 3) {
    sum = sum_of_greys(image.pixels.data(), num_pixels(image));
  } else {
    for (const uint8_t value : image.pixels) sum += value;
  }
  return static_cast<float>(static_cast<double>(sum) /
                            static_cast<double>(num_pixels(image)));
}

Table identity() {
  return table_of([](int value) { return static_cast<uint8_t>(value); });
}

Table stretched(const Counts& counts) {
  const auto is_there = [](int64_t count) { return count > 0; };
  const auto first = std::find_if(counts.begin(), counts.end(), is_there);
  const auto last = std::find_if(counts.rbegin(), counts.rend(), is_there);
  const auto low = static_cast<int>(first - counts.begin());
  const auto high = static_cast<int>(counts.rend() - last) - 1;
  if (low >= high) return identity();
  const float scale = static_cast<float>(high - low) * (1.0F / 255);
  return table_of(
      [&](int value) { return cut(static_cast<float>(value - low) / scale); });
}

Table equalized(const Counts& counts) {
  int64_t total = 0;
  int64_t highest = 0;  // How often the highest value that occurs does.
  for (const int64_t count : counts) {
    total += count;
    if (count > 0) highest = count;
  }
  const int64_t step = (total - highest) / 255;
  if (step == 0) return identity();
  int64_t below = step / 2;
  return table_of([&](int value) {
    const auto level = static_cast<uint8_t>(std::min<int64_t>(below / step, 255));
    below += counts[static_cast<size_t>(value)];
    return level;
  });
}

}  // namespace

void adjust_brightness(Image& image, double factor) {
  const auto by = static_cast<float>(factor);
  look_up(image,
          table_of([by](int value) { return cut(static_cast<float>(value) * by); }));
}

void adjust_contrast(Image& image, double factor) {
  const auto share = static_cast<float>(factor);
  const float rest = mean_grey(image) * static_cast<float>(1 - factor);
  look_up(image, table_of([&](int value) {
            return cut(static_cast<float>(value) * share + rest);
          }));
}

void adjust_saturation(Image& image, double factor) {
  if (image.channels == 1) return;
  blend_with_grey(image.pixels.data(), num_pixels(image), static_cast<float>(factor),
                  static_cast<float>(1 - factor));
}

void adjust_hue(Image& image, double turn) {
  if (image.channels == 1) return;
  turn_hue(image.pixels.data(), num_pixels(image), static_cast<float>(turn));
}

void make_grey(Image& image) { adjust_saturation(image, 0); }

void posterize(Image& image, int bits) {
  const int mask = 0xFF & ~((1 << (8 - bits)) - 1);
  look_up(image,
          table_of([mask](int value) { return static_cast<uint8_t>(value & mask); }));
}

void solarize(Image& image, double threshold) {
  look_up(image, table_of([threshold](int value) {
            return static_cast<uint8_t>(value >= threshold ? 255 - value : value);
          }));
}

void autocontrast(Image& image) { look_up_from_counts(image, stretched); }

void equalize(Image& image) { look_up_from_counts(image, equalized); }

void invert(Image& image) {
  look_up(image, table_of([](int value) { return static_cast<uint8_t>(255 - value); }));
}

}  // namespace stoker::data::detail
