#include "golden.h"

#include "stoker/base/files.h"
#include "stoker/checkpoint/safetensors.h"

namespace stoker::parity {

std::filesystem::path golden_path(const std::string& file) {
  return std::filesystem::path(STOKER_SOURCE_DIR) / "tests/golden" / file;
}

nlohmann::json golden_json(const std::string& file) {
  return nlohmann::json::parse(read_file(golden_path(file)));
}

GoldenImage golden_image(const std::string& name) {
  for (const auto& [key, tensor] :
       read_safetensors(golden_path("augment.safetensors")).tensors) {
    if (key != name) continue;
    const auto floats = tensor.to(torch::kFloat32).contiguous();
    const auto* values = floats.const_data_ptr<float>();
    const auto size = [&](int64_t i) { return static_cast<size_t>(tensor.size(i)); };
    return {tensor.scalar_type() == torch::kUInt8,
            size(0),
            size(1),
            size(2),
            {values, values + floats.numel()}};
  }
  throw std::runtime_error("augment.safetensors holds no " + name);
}

uint32_t crc32(const void* data, size_t size) {
  constexpr uint32_t kPolynomial = 0xEDB88320;
  const auto* bytes = static_cast<const unsigned char*>(data);
  uint32_t crc = ~uint32_t{0};
  for (size_t i = 0; i < size; ++i) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (kPolynomial & -(crc & 1));
  }
  return ~crc;
}

}  // namespace stoker::parity
