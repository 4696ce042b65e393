#include "stoker/checkpoint/detail/header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker::detail {

static_assert(std::endian::native == std::endian::little, "safetensors is little-endian");

namespace {
struct TypeInfo {
  std::string_view name;
  uint64_t bytes;
};
constexpr std::array<TypeInfo, 10> kTypes = {{{"BOOL", 1},
                                              {"U8", 1},
                                              {"I8", 1},
                                              {"I16", 2},
                                              {"F16", 2},
                                              {"BF16", 2},
                                              {"I32", 4},
                                              {"F32", 4},
                                              {"F64", 8},
                                              {"I64", 8}}};

/// A JSON string with its quotes.
std::string quoted(const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorCode::kInvalid, cat("[safetensors] '", shown(text),
                                         "': expected UTF-8, got other bytes"));
  }
}
}  // namespace

std::string_view type_name(TensorType type) {
  return kTypes[static_cast<size_t>(type)].name;
}
uint64_t type_bytes(TensorType type) { return kTypes[static_cast<size_t>(type)].bytes; }

std::string shown(std::string_view name) {
  constexpr size_t kLongest = 120;
  std::string text(name.substr(0, kLongest));
  // A cut in the middle of a character would make the message invalid UTF-8.
  if (name.size() > kLongest) {
    while (!text.empty() && (text.back() & 0xC0) == 0x80) text.pop_back();
    if (!text.empty() && (text.back() & 0x80) != 0) text.pop_back();
    text += "...";
  }
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; },
      '?');
  return text;
}

std::string shown(const std::vector<int64_t>& shape) {
  std::vector<std::string> sizes;
  for (const int64_t size : shape) sizes.push_back(std::to_string(size));
  return cat("[", join(sizes, ", "), "]");
}

void lay_out(std::vector<TensorEntry>& entries) {
  std::sort(entries.begin(), entries.end(),
            [](const TensorEntry& a, const TensorEntry& b) {
              return a.type != b.type ? a.type > b.type : a.name < b.name;
            });
  uint64_t at = 0;
  for (TensorEntry& entry : entries) {
    uint64_t bytes = type_bytes(entry.type);
    for (const int64_t size : entry.shape) bytes *= static_cast<uint64_t>(size);
    entry.begin = at;
    entry.end = at += bytes;
  }
}

std::string format_header(const std::vector<TensorEntry>& entries,
                          const std::map<std::string, std::string>& metadata) {
  std::vector<std::string> items;
  if (!metadata.empty()) {
    std::vector<std::string> pairs;
    for (const auto& [key, value] : metadata)
      pairs.push_back(cat(quoted(key), ":", quoted(value)));
    items.push_back(cat("\"__metadata__\":{", join(pairs, ","), "}"));
  }
  for (const TensorEntry& entry : entries) {
    std::vector<std::string> sizes;
    for (const int64_t size : entry.shape) sizes.push_back(std::to_string(size));
    items.push_back(cat(quoted(entry.name), ":{\"dtype\":\"", type_name(entry.type),
                        "\",\"shape\":[", join(sizes, ","), "],\"data_offsets\":[",
                        entry.begin, ",", entry.end, "]}"));
  }
  std::string json = cat("{", join(items, ","), "}");
  json.resize((json.size() + 7) / 8 * 8, ' ');
  const auto length =
      std::bit_cast<std::array<char, 8>>(static_cast<uint64_t>(json.size()));
  return std::string(length.data(), length.size()) + json;
}

}  // namespace stoker::detail
