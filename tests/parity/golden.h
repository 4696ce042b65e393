#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace stoker::parity {

std::filesystem::path golden_path(const std::string& file);
nlohmann::json golden_json(const std::string& file);

/// A tensor [C, H, W] of tests/golden/augment.safetensors.
struct GoldenImage {
  bool is_bytes = false;  ///< Pixels in 0..255; else floats.
  size_t channels = 0;
  size_t height = 0;
  size_t width = 0;
  std::vector<float> values;
};
GoldenImage golden_image(const std::string& name);

/// CRC-32 of zlib and PNG (ISO 3309).
uint32_t crc32(const void* data, size_t size);

}  // namespace stoker::parity
