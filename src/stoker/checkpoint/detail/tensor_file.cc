#include "stoker/checkpoint/detail/tensor_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <tuple>

#include "stoker/base/checksum.h"
#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker::detail {
namespace {

/// In the order of TensorType.
constexpr std::array<torch::ScalarType, 10> kScalarTypes = {
    torch::kBool,     torch::kUInt8, torch::kInt8,    torch::kInt16,   torch::kFloat16,
    torch::kBFloat16, torch::kInt32, torch::kFloat32, torch::kFloat64, torch::kInt64};

torch::ScalarType scalar_type(TensorType type) {
  return kScalarTypes[static_cast<size_t>(type)];
}

TensorType tensor_type(const std::string& name, const torch::Tensor& tensor) {
  const auto* at =
      std::find(kScalarTypes.begin(), kScalarTypes.end(), tensor.scalar_type());
  if (at == kScalarTypes.end() || tensor.layout() != torch::kStrided) {
    throw Error(ErrorCode::kInvalid,
                cat("[safetensors] tensor '", shown(name),
                    "': expected a dense tensor of a dtype of the format, got ",
                    torch::toString(tensor.scalar_type())));
  }
  return static_cast<TensorType>(at - kScalarTypes.begin());
}

/// Equal for tensors that are one: the same place, shape and strides.
using Identity = std::tuple<const void*, torch::ScalarType, std::vector<int64_t>,
                            std::vector<int64_t>>;
Identity identity(const torch::Tensor& tensor) {
  return {tensor.const_data_ptr(), tensor.scalar_type(), tensor.sizes().vec(),
          tensor.strides().vec()};
}

/// What goes into a file: entries in their order, their tensors by name, ties as
/// metadata.
struct Content {
  std::vector<TensorEntry> entries;
  std::map<std::string, torch::Tensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// Metadata of the caller that a reader would take for a tie, or a tie would overwrite.
void check_metadata(const std::map<std::string, std::string>& metadata,
                    const std::set<std::string>& names) {
  for (const auto& [key, value] : metadata) {
    if (names.contains(key) || names.contains(value)) {
      throw Error(ErrorCode::kInvalid,
                  cat("[safetensors] metadata '", shown(key), "' = '", shown(value),
                      "': expected neither to be the name of a tensor, got one"));
    }
  }
}

Content plan_content(const NamedTensors& tensors,
                     const std::map<std::string, std::string>& metadata,
                     TiedTensors tied) {
  Content content{.entries = {}, .tensors = {}, .metadata = metadata};
  std::map<Identity, std::string> first_names;
  std::set<std::string> names;
  for (const auto& [name, tensor] : tensors) {
    if (!tensor.defined()) {
      throw Error(ErrorCode::kInvalid, cat("[safetensors] tensor '", shown(name),
                                           "': expected a tensor, got an undefined one"));
    }
    if (name == "__metadata__" || !names.insert(name).second) {
      throw Error(ErrorCode::kInvalid, cat("[safetensors] tensor '", shown(name),
                                           "': expected each name once, got it twice"));
    }
    const TensorType type = tensor_type(name, tensor);
    if (tied == TiedTensors::kOnce && tensor.numel() > 0) {
      const auto [first, is_new] = first_names.emplace(identity(tensor), name);
      if (!is_new) {
        content.metadata[name] = first->second;
        continue;
      }
    }
    content.entries.push_back({name, type, tensor.sizes().vec(), 0, 0});
    content.tensors.emplace(name, tensor);
  }
  check_metadata(metadata, names);
  lay_out(content.entries);
  return content;
}

}  // namespace

TensorFileRecord write_tensor_file(const std::filesystem::path& path,
                                   const NamedTensors& tensors,
                                   const std::map<std::string, std::string>& metadata,
                                   TiedTensors tied) {
  const Content content = plan_content(tensors, metadata, tied);
  const std::string header = format_header(content.entries, content.metadata);
  TensorFileRecord record;
  record.bytes = header.size();
  record.header_xxh128 = xxh128(header.data(), header.size());

  OutputFile file(path);
  file.write(header);
  for (const TensorEntry& entry : content.entries) {
    const torch::Tensor dense =
        content.tensors.at(entry.name).detach().cpu().resolve_neg().contiguous();
    file.write(dense.const_data_ptr(), dense.nbytes());
    record.bytes += dense.nbytes();
    record.tensors[entry.name] = {std::string(type_name(entry.type)), entry.shape,
                                  xxh128(dense.const_data_ptr(), dense.nbytes())};
  }
  file.flush_and_close();
  return record;
}

uint64_t tensor_file_bytes(const NamedTensors& tensors,
                           const std::map<std::string, std::string>& metadata) {
  const Content content = plan_content(tensors, metadata, TiedTensors::kOnce);
  const uint64_t header_bytes = format_header(content.entries, content.metadata).size();
  return header_bytes + (content.entries.empty() ? 0 : content.entries.back().end);
}

OpenTensorFile::OpenTensorFile(const std::filesystem::path& path)
    : place(path.string()), file(path), header(parse_header(file.bytes(), place)) {}

void OpenTensorFile::check(const TensorFileRecord& record) const {
  const auto fail = [&](const std::string& where, const std::string& expected,
                        const std::string& got) {
    throw Error(ErrorCode::kData, cat("[checkpoint] ", place, where, ": expected ",
                                      expected, ", got ", got));
  };
  const std::string header_hash = xxh128(file.bytes().data(), header.data_begin);
  if (header_hash != record.header_xxh128) {
    fail(", header", cat("hash ", record.header_xxh128), header_hash);
  }
  for (const TensorEntry& entry : header.tensors) {
    const std::string where = cat(", tensor '", shown(entry.name), "'");
    const auto known = record.tensors.find(entry.name);
    if (known == record.tensors.end()) fail(where, "a tensor of the manifest", "another");
    const auto data = header.data_of(entry, file.bytes());
    const std::string hash = xxh128(data.data(), data.size());
    if (hash != known->second.xxh128) {
      fail(where, cat("hash ", known->second.xxh128), hash);
    }
  }
}

SafeTensors OpenTensorFile::read() const {
  SafeTensors content;
  std::map<std::string, torch::Tensor> by_name;
  for (const TensorEntry& entry : header.tensors) {
    const auto data = header.data_of(entry, file.bytes());
    if (entry.type == TensorType::kBool &&
        std::any_of(data.begin(), data.end(),
                    [](std::byte b) { return b > std::byte{1}; })) {
      throw Error(ErrorCode::kData,
                  cat("[safetensors] ", place, ", tensor '", shown(entry.name),
                      "': expected 0 or 1 in each byte of BOOL, got another value"));
    }
    const torch::Tensor tensor = torch::empty(entry.shape, scalar_type(entry.type));
    if (!data.empty()) std::memcpy(tensor.mutable_data_ptr(), data.data(), data.size());
    content.tensors.emplace_back(entry.name, tensor);
    by_name.emplace(entry.name, tensor);
  }
  for (const auto& [key, value] : header.metadata) {
    const auto first = by_name.find(value);
    if (first != by_name.end() && !by_name.contains(key)) {
      content.tensors.emplace_back(key, first->second);
    } else {
      content.metadata.emplace(key, value);
    }
  }
  return content;
}

}  // namespace stoker::detail
