#include "stoker/data/augment/detail/parameters.h"

#include <algorithm>

#include "stoker/base/strings.h"

namespace stoker::data::detail {
namespace {

constexpr int64_t kMaxSide = 65535;

bool is_side(const config::Node& node) {
  const auto* value = std::get_if<int64_t>(&node.value());
  return value != nullptr && *value >= 1 && *value <= kMaxSide;
}

int side(const config::Node& node) {
  return static_cast<int>(std::get<int64_t>(node.value()));
}

}  // namespace

std::vector<int> read_side_or_size(config::Reader& reader) {
  const config::Node* node = reader.child("size");
  if (node != nullptr) {
    if (is_side(*node)) return {side(*node)};
    if (node->is_array() && node->array().size() == 2 && is_side(node->array()[0]) &&
        is_side(node->array()[1])) {
      return {side(node->array()[0]), side(node->array()[1])};
    }
  }
  reader.fail("size", cat("an integer from 1 to ", kMaxSide, " or [height, width]"));
}

Size read_size(config::Reader& reader) {
  const std::vector<int> sides = read_side_or_size(reader);
  return {sides.front(), sides.back()};
}

Colour read_fill(config::Reader& reader, int channels) {
  constexpr config::Range kByte{0, 255};
  Colour colour{};
  const config::Node* node = reader.child("fill");
  if (node == nullptr) return colour;
  if (!node->is_array()) {
    int64_t value = 0;
    reader.read("fill", value, kByte);
    colour.fill(static_cast<uint8_t>(value));
    return colour;
  }
  std::vector<double> values;
  reader.read("fill", values, kByte);
  if (values.size() != static_cast<size_t>(channels)) {
    reader.fail("fill", cat("a number from 0 to 255 or a list of ", channels));
  }
  for (size_t i = 0; i < colour.size(); ++i) {
    colour[i] = static_cast<uint8_t>(values[i % values.size()] + 0.5);
  }
  return colour;
}

double read_probability(config::Reader& reader, double otherwise) {
  double probability = otherwise;
  reader.read("p", probability, {0, 1});
  return probability;
}

Interval read_interval(config::Reader& reader, const char* key, const Interval& otherwise,
                       config::Range range) {
  std::vector<double> values(otherwise.begin(), otherwise.end());
  reader.read(key, values, range);
  if (values.size() != 2 || values[0] > values[1])
    reader.fail(key, "[smallest, largest]");
  return {values[0], values[1]};
}

Interval read_spread(config::Reader& reader, const char* key, double centre,
                     config::Range range) {
  const config::Node* node = reader.child(key);
  if (node != nullptr && node->is_array()) return read_interval(reader, key, {}, range);
  double spread = 0;
  reader.read(key, spread, {0, range.max - centre});
  return {std::max(centre - spread, range.min), centre + spread};
}

double draw(const Interval& interval, KeyedRandom& random) {
  return interval[0] +
         (interval[1] - interval[0]) * static_cast<double>(random.uniform());
}

std::string range_text(const Interval& interval) {
  if (interval[0] == interval[1]) return cat(interval[0]);
  return cat(interval[0], " to ", interval[1]);
}

Filter read_filter(config::Reader& reader) {
  std::string name = "bilinear";
  reader.read_choice("interpolation", name, {"bilinear", "bicubic", "box"});
  if (name == "bicubic") return Filter::kBicubic;
  return name == "box" ? Filter::kBox : Filter::kBilinear;
}

std::string text(Filter filter) {
  switch (filter) {
    case Filter::kBilinear:
      return "";
    case Filter::kBicubic:
      return ", bicubic";
    case Filter::kBox:
      return ", box";
  }
  return "";
}

Sampling read_sampling(config::Reader& reader, int channels,
                       const std::optional<Colour>& otherwise) {
  std::string interpolation = "nearest";
  reader.read_choice("interpolation", interpolation, {"nearest", "bilinear"});
  Sampling sampling{
      interpolation == "nearest" ? Interpolation::kNearest : Interpolation::kBilinear,
      otherwise};
  const Colour fill = read_fill(reader, channels);
  if (reader.has("fill")) sampling.fill = fill;
  return sampling;
}

std::string text(const Sampling& sampling) {
  return sampling.interpolation == Interpolation::kNearest ? "nearest" : "bilinear";
}

std::optional<std::array<double, 2>> read_centre(config::Reader& reader) {
  if (reader.child("center") == nullptr) return std::nullopt;
  std::vector<double> centre;
  reader.read("center", centre, {-65535, 65535});
  if (centre.size() != 2) reader.fail("center", "[x, y]");
  return std::array<double, 2>{centre[0], centre[1]};
}

std::string text(Size size) { return cat(size.height, "x", size.width); }

}  // namespace stoker::data::detail
