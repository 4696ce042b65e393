#include "stoker/data/augment/detail/parameters.h"

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

double read_probability(config::Reader& reader) {
  double probability = 0.5;
  reader.read("p", probability, {0, 1});
  return probability;
}

std::string text(Size size) { return cat(size.height, "x", size.width); }

}  // namespace stoker::data::detail
