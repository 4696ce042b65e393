#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "stoker/base/files.h"
#include "stoker/data/text/tokenizer.h"

namespace stoker::data::testing {

/// A file that tests/golden/make_text.py made with Hugging Face's tokenizers.
inline std::filesystem::path golden_path(const std::string& name) {
  return std::filesystem::path(STOKER_SOURCE_DIR) / "tests/golden/text" / name;
}

inline nlohmann::json golden_json(const std::string& name) {
  return nlohmann::json::parse(read_file(golden_path(name)));
}

using Ids = std::vector<int32_t>;

/// The ids of a text that must encode.
inline Ids encode(const Tokenizer& tokenizer, std::string_view text) {
  Ids ids;
  const Status status = tokenizer.encode(text, ids);
  EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.reason());
  return ids;
}

/// Why a text does not encode; what was in `ids` must stay.
inline std::string encode_failure(const Tokenizer& tokenizer, std::string_view text) {
  Ids ids = {77};
  const Status status = tokenizer.encode(text, ids);
  EXPECT_EQ(ids, Ids{77});
  return status.ok() ? "encoded" : status.reason();
}

/// The message of the stoker::Error that `run` throws.
template <typename Run>
std::string error_of(const Run& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace stoker::data::testing
