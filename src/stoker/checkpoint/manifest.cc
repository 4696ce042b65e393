#include "stoker/checkpoint/detail/manifest.h"

#include <nlohmann/json.hpp>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker::detail {
namespace {

using nlohmann::json;

constexpr int64_t kFormat = 1;

/// Names of class folders may be any bytes, JSON holds UTF-8 only: other text becomes the
/// list of its bytes.
json text_to_json(const std::string& text) {
  try {
    json(text).dump();
    return text;
  } catch (const json::exception&) {
    return std::vector<uint8_t>(text.begin(), text.end());
  }
}

std::string text_from_json(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  const auto bytes = value.get<std::vector<uint8_t>>();
  return {bytes.begin(), bytes.end()};
}

json file_to_json(const TensorFileRecord& record) {
  json tensors = json::object();
  for (const auto& [name, tensor] : record.tensors) {
    tensors[name] = {
        {"dtype", tensor.dtype}, {"shape", tensor.shape}, {"xxh128", tensor.xxh128}};
  }
  return {{"bytes", record.bytes},
          {"header_xxh128", record.header_xxh128},
          {"tensors", std::move(tensors)}};
}

TensorFileRecord file_from_json(const json& value) {
  TensorFileRecord record;
  value.at("bytes").get_to(record.bytes);
  value.at("header_xxh128").get_to(record.header_xxh128);
  for (const auto& [name, tensor] : value.at("tensors").items()) {
    record.tensors[name] = {tensor.at("dtype"), tensor.at("shape"), tensor.at("xxh128")};
  }
  return record;
}

Manifest from_json(const json& value) {
  Manifest manifest;
  TrainingState& state = manifest.state;
  value.at("step").get_to(state.step);
  value.at("epoch").get_to(state.epoch);
  value.at("step_in_epoch").get_to(state.step_in_epoch);
  for (const auto& [key, text] : value.at("values").items()) {
    state.values[key] = text_from_json(text);
  }
  for (const auto& text : value.at("classes")) {
    state.classes.push_back(text_from_json(text));
  }
  state.plan_toml = text_from_json(value.at("plan_toml"));
  for (const auto& [name, file] : value.at("files").items()) {
    manifest.files[name] = file_from_json(file);
  }
  return manifest;
}

}  // namespace

std::string format_manifest(const Manifest& manifest) {
  const TrainingState& state = manifest.state;
  json values = json::object();
  for (const auto& [key, text] : state.values) values[key] = text_to_json(text);
  json classes = json::array();
  for (const std::string& text : state.classes) classes.push_back(text_to_json(text));
  json files = json::object();
  for (const auto& [name, record] : manifest.files) files[name] = file_to_json(record);
  const json all = {{"format", kFormat},
                    {"stoker", STOKER_VERSION},
                    {"step", state.step},
                    {"epoch", state.epoch},
                    {"step_in_epoch", state.step_in_epoch},
                    {"values", std::move(values)},
                    {"classes", std::move(classes)},
                    {"plan_toml", text_to_json(state.plan_toml)},
                    {"files", std::move(files)}};
  return all.dump(1) + "\n";
}

Manifest parse_manifest(std::string_view text, const std::string& place) {
  try {
    const json value = json::parse(text);
    const int64_t format = value.at("format").get<int64_t>();
    if (format != kFormat) {
      throw Error(
          ErrorCode::kData,
          cat("[checkpoint] ", place, ", format: expected ", kFormat, ", got ", format,
              " (hint: it was written by stoker ", value.at("stoker").get<std::string>(),
              ", this is ", STOKER_VERSION, ")"));
    }
    return from_json(value);
  } catch (const json::exception& problem) {
    throw Error(ErrorCode::kData, cat("[checkpoint] ", place,
                                      ": expected a manifest, got: ", problem.what()));
  }
}

}  // namespace stoker::detail
