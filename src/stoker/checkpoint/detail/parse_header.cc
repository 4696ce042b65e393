#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/checkpoint/detail/header.h"

namespace stoker::detail {
namespace {

/// The bound of the reference implementation.
constexpr uint64_t kLargestHeader = 100'000'000;
constexpr size_t kMostDimensions = 64;

/// Takes the JSON as it is read and keeps only what the format allows, so that a hostile
/// header needs no more memory than an honest one.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  HeaderReader(TensorFileHeader& header, const std::string& place)
      : header_(header), place_(place) {}

  bool null() override { return refuse("null"); }
  bool boolean(bool) override { return refuse("a boolean"); }
  bool number_integer(number_integer_t) override { return refuse("a negative number"); }
  bool number_float(number_float_t, const string_t& text) override {
    return refuse(cat("the number ", shown(text)));
  }
  bool binary(binary_t&) override { return refuse("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (level_ == Level::kShape) {
      if (value > INT64_MAX) fail("a size below 2^63", std::to_string(value));
      if (entry_.shape.size() == kMostDimensions) {
        fail(cat("at most ", kMostDimensions, " dimensions"), "more");
      }
      entry_.shape.push_back(static_cast<int64_t>(value));
      return true;
    }
    if (level_ == Level::kOffsets) {
      if (num_offsets_ == 2) fail("two data_offsets", "more");
      (num_offsets_ == 0 ? entry_.begin : entry_.end) = value;
      ++num_offsets_;
      return true;
    }
    return refuse("a number");
  }

  bool string(string_t& value) override {
    if (level_ == Level::kMetadata) {
      if (!header_.metadata.emplace(key_, value).second) {
        fail(cat("'", shown(key_), "' once"), "it twice");
      }
      return true;
    }
    if (level_ == Level::kTensor && key_ == "dtype") {
      read_type(value);
      return true;
    }
    return refuse(cat("'", shown(value), "'"));
  }

  bool start_object(size_t) override {
    if (level_ == Level::kFile) {
      level_ = Level::kNames;
    } else if (level_ == Level::kNames) {
      level_ = name_ == "__metadata__" ? Level::kMetadata : Level::kTensor;
      keys_.clear();
      entry_ = {};
      entry_.name = name_;
      num_offsets_ = 0;
    } else {
      return refuse("an object");
    }
    return true;
  }

  bool key(string_t& value) override {
    if (level_ == Level::kNames) {
      name_ = value;
      if (!names_.insert(value).second) fail("each name once", "it twice");
      return true;
    }
    key_ = value;
    if (level_ == Level::kMetadata) return true;
    if (value != "dtype" && value != "shape" && value != "data_offsets")
      fail("dtype, shape and data_offsets", cat("'", shown(value), "'"));
    if (!keys_.insert(value).second) fail(cat("'", shown(value), "' once"), "it twice");
    return true;
  }

  bool start_array(size_t) override {
    if (level_ != Level::kTensor || key_ == "dtype") return refuse("a list");
    level_ = key_ == "shape" ? Level::kShape : Level::kOffsets;
    return true;
  }

  bool end_array() override {
    if (level_ == Level::kOffsets && num_offsets_ != 2) {
      fail("two data_offsets", std::to_string(num_offsets_));
    }
    level_ = Level::kTensor;
    return true;
  }

  bool end_object() override {
    if (level_ == Level::kTensor) {
      for (const char* wanted : {"dtype", "shape", "data_offsets"}) {
        if (!keys_.contains(wanted)) fail(cat("'", wanted, "'"), "none");
      }
      header_.tensors.push_back(std::move(entry_));
    }
    level_ = level_ == Level::kNames ? Level::kFile : Level::kNames;
    return true;
  }

  bool parse_error(size_t position, const std::string&,
                   const nlohmann::json::exception&) override {
    throw Error(ErrorCode::kData,
                cat("[safetensors] ", place_,
                    ": expected a JSON header, got text that is none at byte ",
                    position + 7, " of the file"));
  }

 private:
  enum class Level { kFile, kNames, kMetadata, kTensor, kShape, kOffsets };

  [[noreturn]] void fail(const std::string& expected, const std::string& got) const {
    throw Error(ErrorCode::kData,
                cat("[safetensors] ", place_, ", tensor '", shown(name_), "': expected ",
                    expected, ", got ", got));
  }

  bool refuse(const std::string& got) const {
    switch (level_) {
      case Level::kFile:
      case Level::kNames:
        fail("an object", got);
      case Level::kMetadata:
        fail("strings", got);
      case Level::kTensor:
        fail(key_ == "dtype" ? "a dtype" : cat("a list as '", shown(key_), "'"), got);
      case Level::kShape:
      case Level::kOffsets:
        fail(cat("whole numbers in '", shown(key_), "'"), got);
    }
    return false;
  }

  void read_type(const std::string& text) {
    std::vector<std::string> known;
    for (int i = 0; i <= static_cast<int>(TensorType::kI64); ++i) {
      const auto type = static_cast<TensorType>(i);
      if (type_name(type) == text) {
        entry_.type = type;
        return;
      }
      known.emplace_back(type_name(type));
    }
    fail(cat("a dtype of ", join(known, ", ")), cat("'", shown(text), "'"));
  }

  TensorFileHeader& header_;
  const std::string& place_;
  Level level_ = Level::kFile;
  std::string name_;
  std::string key_;
  std::set<std::string> names_;
  std::set<std::string> keys_;
  TensorEntry entry_;
  int num_offsets_ = 0;
};

/// Bytes that the shape needs; nothing when no 64-bit number of elements or bytes holds
/// it, which a zero among the sizes does not excuse: strides would overflow.
std::optional<uint64_t> needed_bytes(const TensorEntry& entry) {
  int64_t largest = static_cast<int64_t>(type_bytes(entry.type));
  bool empty = false;
  for (const int64_t size : entry.shape) {
    empty = empty || size == 0;
    if (__builtin_mul_overflow(largest, std::max<int64_t>(size, 1), &largest)) return {};
  }
  return empty ? 0 : static_cast<uint64_t>(largest);
}

void check_layout(TensorFileHeader& header, uint64_t data_bytes,
                  const std::string& place) {
  std::stable_sort(header.tensors.begin(), header.tensors.end(),
                   [](const TensorEntry& a, const TensorEntry& b) {
                     return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
                   });
  uint64_t at = 0;
  for (const TensorEntry& entry : header.tensors) {
    const auto fail = [&](const std::string& expected, const std::string& got) {
      throw Error(ErrorCode::kData,
                  cat("[safetensors] ", place, ", tensor '", shown(entry.name),
                      "': expected ", expected, ", got ", got));
    };
    const std::string offsets = cat("offsets ", entry.begin, " to ", entry.end);
    const std::optional<uint64_t> needed = needed_bytes(entry);
    if (!needed) fail("a shape below 2^63 bytes", shown(entry.shape));
    if (entry.begin > entry.end || entry.end > data_bytes) {
      fail(cat("data within the ", data_bytes, " bytes after the header"), offsets);
    }
    if (entry.end - entry.begin != *needed) {
      fail(cat(*needed, " bytes for ", type_name(entry.type), " ", shown(entry.shape)),
           offsets);
    }
    if (entry.begin != at) {
      fail(cat("data from ", at, " on, without overlap or gap"), offsets);
    }
    at = entry.end;
  }
  if (at != data_bytes) {
    throw Error(ErrorCode::kData,
                cat("[safetensors] ", place, ": expected ", at,
                    " bytes of data after the header, got ", data_bytes));
  }
}

}  // namespace

TensorFileHeader parse_header(std::span<const std::byte> file, const std::string& place) {
  const auto fail = [&](const std::string& expected, const std::string& got) {
    throw Error(ErrorCode::kData,
                cat("[safetensors] ", place, ": expected ", expected, ", got ", got));
  };
  uint64_t length = 0;
  if (file.size() < sizeof length) {
    fail("8 bytes of header length", cat(file.size(), " bytes"));
  }
  std::memcpy(&length, file.data(), sizeof length);
  const uint64_t rest = file.size() - sizeof length;
  if (length > kLargestHeader) {
    fail(cat("a header of at most ", kLargestHeader, " bytes"), std::to_string(length));
  }
  if (length > rest) {
    fail(cat("a header within the file's ", file.size(), " bytes"),
         cat(length, " bytes of header"));
  }
  const char* json = reinterpret_cast<const char*>(file.data()) + sizeof length;
  if (length == 0 || json[0] != '{') fail("a JSON object as header", "other text");

  TensorFileHeader header;
  header.data_begin = sizeof length + length;
  HeaderReader reader(header, place);
  nlohmann::json::sax_parse(json, json + length, &reader);
  check_layout(header, rest - length, place);
  return header;
}

}  // namespace stoker::detail
