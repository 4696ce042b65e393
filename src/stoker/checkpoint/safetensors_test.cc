#include "stoker/checkpoint/safetensors.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <limits>

#include "stoker/base/error.h"
#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/checkpoint/store.h"

namespace stoker {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const fs::path kReference =
    fs::path(STOKER_SOURCE_DIR) / "tests/checkpoint/golden/reference.safetensors";
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class SafeTensorsTest : public testing::Test {
 protected:
  SafeTensorsTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~SafeTensorsTest() override { fs::remove_all(folder_); }

  /// A file of this header text and this many zero bytes.
  fs::path write_raw(const std::string& json, size_t data_bytes) const {
    std::string content(8, '\0');
    const uint64_t length = json.size();
    std::memcpy(content.data(), &length, 8);
    return write_bytes(content + json + std::string(data_bytes, '\0'));
  }
  fs::path write_bytes(const std::string& content) const {
    OutputFile out(file_);
    out.write(content);
    out.flush_and_close();
    return file_;
  }

  const fs::path folder_ =
      fs::temp_directory_path() / cat("stoker-safetensors-", ::getpid());
  const fs::path file_ = folder_ / "weights.safetensors";
};

/// The tensors of tests/checkpoint/golden/make_safetensors.py.
NamedTensors reference_tensors() {
  const torch::Tensor conv = at::arange(12, at::kFloat).reshape({2, 3, 1, 2});
  return {
      {"conv.weight", conv},
      {"head.weight", conv},
      {"bn.num_batches_tracked",
       at::tensor((int64_t{1} << 53) | 1, at::kLong).reshape({})},
      {"double", at::tensor({0.1, -1e300}, at::kDouble)},
      {"half", at::tensor({0., 1., -2., 0.5, 65504., kInfinity}, at::kDouble)
                   .to(at::kHalf)
                   .reshape({2, 3})},
      {"bfloat", at::tensor({1., -2., kInfinity}, at::kDouble).to(at::kBFloat16)},
      {"int", at::tensor({std::numeric_limits<int32_t>::min(), 7}, at::kInt)},
      {"short", at::tensor({-32768}, at::kInt).to(at::kShort)},
      {"signed", at::tensor({-128, 0, 127}, at::kInt).to(at::kChar)},
      {"bytes", at::tensor({0, 1, 127, 128, 255}, at::kInt).to(at::kByte)},
      {"mask", at::tensor({1, 0}, at::kInt).to(at::kBool)},
      {"empty", at::empty({0, 4}, at::kFloat)},
      {"größe \"quoted\"\n", at::tensor({0.1F}, at::kFloat)},
  };
}

torch::Tensor named(const NamedTensors& tensors, const std::string& name) {
  for (const auto& [key, tensor] : tensors) {
    if (key == name) return tensor;
  }
  ADD_FAILURE() << "no tensor " << name;
  return at::zeros({});
}

template <typename Work>
std::string error_of(ErrorCode code, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST_F(SafeTensorsTest, ReadsWhatTheReferenceImplementationWrote) {
  const SafeTensors read = read_safetensors(kReference);
  ASSERT_EQ(read.tensors.size(), reference_tensors().size());
  EXPECT_TRUE(read.metadata.empty());
  for (const auto& [name, expected] : reference_tensors()) {
    const torch::Tensor tensor = named(read.tensors, name);
    EXPECT_EQ(tensor.scalar_type(), expected.scalar_type()) << name;
    EXPECT_TRUE(tensor.equal(expected)) << name;
  }
}

TEST_F(SafeTensorsTest, WritesTheBytesOfTheReferenceImplementation) {
  write_safetensors(file_, reference_tensors());
  EXPECT_EQ(read_file(file_), read_file(kReference));
}

TEST_F(SafeTensorsTest, WritesNothingButAHeaderForNoTensors) {
  write_safetensors(file_, {}, {{"format", "pt"}});
  EXPECT_EQ(fs::file_size(file_),
            8 + 32);  // {"__metadata__":{"format":"pt"}} has 32 bytes.
  const SafeTensors read = read_safetensors(file_);
  EXPECT_TRUE(read.tensors.empty());
  EXPECT_EQ(read.metadata.at("format"), "pt");
}

TEST_F(SafeTensorsTest, WritesLogicalOrderWhateverTheStrides) {
  const torch::Tensor plain = at::arange(24, at::kFloat).reshape({2, 3, 2, 2});
  write_safetensors(file_, {{"w", plain}});
  const std::string expected = read_file(file_);
  const torch::Tensor channels_last = plain.contiguous(at::MemoryFormat::ChannelsLast);
  ASSERT_FALSE(channels_last.is_contiguous());
  write_safetensors(file_, {{"w", channels_last}});
  EXPECT_EQ(read_file(file_), expected);
  const torch::Tensor wide = at::stack({plain, plain.neg()}, -1);
  write_safetensors(file_, {{"w", wide.select(-1, 0)}});
  EXPECT_EQ(read_file(file_), expected);
}

TEST_F(SafeTensorsTest, ParametersWithGradientsAreWrittenAndReadWithoutHistory) {
  const torch::Tensor weight = at::ones({3}).set_requires_grad(true);
  write_safetensors(file_, {{"w", weight}, {"twice", weight * 2}});
  EXPECT_FALSE(named(read_safetensors(file_).tensors, "twice").requires_grad());
}

TEST_F(SafeTensorsTest, TiedWeightsAreOnceInTheFileAndTiedAgainAfterReading) {
  const torch::Tensor embedding = at::arange(40, at::kFloat).reshape({10, 4});
  write_safetensors(file_, {{"wte.weight", embedding}, {"lm_head.weight", embedding}});
  const std::string bytes = read_file(file_);
  uint64_t header = 0;
  std::memcpy(&header, bytes.data(), 8);
  EXPECT_EQ(bytes.size() - 8 - header, 160);
  EXPECT_THAT(bytes, HasSubstr(R"("__metadata__":{"lm_head.weight":"wte.weight"})"));

  const NamedTensors read = read_safetensors(file_).tensors;
  named(read, "wte.weight").add_(1);
  EXPECT_TRUE(named(read, "lm_head.weight").equal(embedding + 1));
}

TEST_F(SafeTensorsTest, TiedWeightsAreWrittenEachOnRequest) {
  const torch::Tensor embedding = at::ones({10, 4});
  write_safetensors(file_, {{"a", embedding}, {"b", embedding}}, {}, TiedTensors::kEach);
  EXPECT_GT(fs::file_size(file_), 320);
  const NamedTensors read = read_safetensors(file_).tensors;
  EXPECT_NE(named(read, "a").data_ptr(), named(read, "b").data_ptr());
}

TEST_F(SafeTensorsTest, ViewsOfOneStorageThatDifferAreNotTied) {
  const torch::Tensor square = at::arange(4, at::kFloat).reshape({2, 2});
  write_safetensors(file_, {{"w", square}, {"t", square.t()}, {"row", square[0]}});
  const NamedTensors read = read_safetensors(file_).tensors;
  EXPECT_TRUE(named(read, "t").equal(at::tensor({0.F, 2.F, 1.F, 3.F}).reshape({2, 2})));
  EXPECT_TRUE(named(read, "row").equal(at::tensor({0.F, 1.F})));
}

TEST_F(SafeTensorsTest, RefusesToWriteWhatCouldNotBeRead) {
  const torch::Tensor one = at::ones({1});
  const auto refused = [&](const NamedTensors& tensors,
                           const std::map<std::string, std::string>& metadata = {}) {
    return error_of(ErrorCode::kInvalid,
                    [&] { write_safetensors(file_, tensors, metadata); });
  };
  EXPECT_THAT(refused({{"a", one}, {"a", one + 1}}), HasSubstr("twice"));
  EXPECT_THAT(refused({{"__metadata__", one}}), HasSubstr("__metadata__"));
  EXPECT_THAT(refused({{"\xff", one}}), HasSubstr("UTF-8"));
  EXPECT_THAT(refused({{"a", torch::Tensor()}}), HasSubstr("undefined"));
  EXPECT_THAT(refused({{"a", one.to(at::kComplexFloat)}}), HasSubstr("ComplexFloat"));
  EXPECT_THAT(refused({{"a", one}}, {{"b", "a"}}), HasSubstr("'b' = 'a'"));
  EXPECT_FALSE(fs::exists(file_));
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(SafeTensorsTest, AFailedWriteLeavesTheOldFileAlone) {
  write_safetensors(file_, {{"a", at::ones({1})}});
  fs::create_directory(folder_ / cat("weights.safetensors.tmp", ::getpid()));
  error_of(ErrorCode::kIo, [&] { write_safetensors(file_, {{"a", at::zeros({1})}}); });
  EXPECT_EQ(named(read_safetensors(file_).tensors, "a").item<float>(), 1);
}

struct HostileFile {
  const char* title;
  const char* json;
  size_t data_bytes;
  std::vector<const char*> message;
};
// Printed instead of the bytes of the structure.
void PrintTo(const HostileFile& file, std::ostream* out) { *out << file.title; }

class HostileHeaderTest : public SafeTensorsTest,
                          public testing::WithParamInterface<HostileFile> {};

TEST_P(HostileHeaderTest, IsRefusedWithTheFileTheTensorAndWhatIsWrong) {
  const HostileFile& hostile = GetParam();
  const fs::path path = write_raw(hostile.json, hostile.data_bytes);
  const std::string message = error_of(ErrorCode::kData, [&] { read_safetensors(path); });
  EXPECT_THAT(message, HasSubstr(path.string()));
  for (const char* part : hostile.message) EXPECT_THAT(message, HasSubstr(part));
}

INSTANTIATE_TEST_SUITE_P(
    SafeTensors, HostileHeaderTest,
    testing::Values(
        HostileFile{"NotAnObject", "[1]", 0, {"JSON object"}},
        HostileFile{"CutShort", R"({"a":{"dtype":)", 0, {"at byte 22"}},
        HostileFile{"TextAfterTheObject", R"({} {})", 0, {"at byte 11"}},
        HostileFile{"NotUtf8", "{\"\xff\":{}}", 0, {"JSON"}},
        HostileFile{"UnknownDtype",
                    R"({"a":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}})",
                    1,
                    {"'a'", "F32", "got 'F8_E4M3'"}},
        HostileFile{"NoDtype",
                    R"({"a":{"shape":[1],"data_offsets":[0,4]}})",
                    4,
                    {"'a'", "expected 'dtype'"}},
        HostileFile{"UnknownField",
                    R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"x":1}})",
                    1,
                    {"'a'", "got 'x'"}},
        HostileFile{"ThreeOffsets",
                    R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1,1]}})",
                    1,
                    {"two data_offsets"}},
        HostileFile{"OneOffset",
                    R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0]}})",
                    1,
                    {"two data_offsets, got 1"}},
        HostileFile{"NegativeSize",
                    R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})",
                    1,
                    {"'a'", "'shape'", "negative"}},
        HostileFile{"FractionalSize",
                    R"({"a":{"dtype":"U8","shape":[1.5],"data_offsets":[0,1]}})",
                    1,
                    {"'a'", "'shape'", "1.5"}},
        HostileFile{"NestedList",
                    R"({"a":{"dtype":"U8","shape":[[1]],"data_offsets":[0,1]}})",
                    1,
                    {"'a'", "'shape'"}},
        HostileFile{"TensorIsAString", R"({"a":"b"})", 0, {"'a'", "got 'b'"}},
        HostileFile{"MetadataIsANumber",
                    R"({"__metadata__":{"a":1}})",
                    0,
                    {"__metadata__", "strings"}},
        HostileFile{"SizesOverflow",
                    R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],)"
                    R"("data_offsets":[0,0]}})",
                    0,
                    {"'a'", "[4294967296, 4294967296]"}},
        HostileFile{"SizesOverflowBesideAZero",
                    R"({"a":{"dtype":"F32","shape":[0,4294967296,4294967296],)"
                    R"("data_offsets":[0,0]}})",
                    0,
                    {"'a'", "[0, 4294967296, 4294967296]"}},
        HostileFile{"BeyondTheFile",
                    R"({"a":{"dtype":"F32","shape":[1000000000],)"
                    R"("data_offsets":[0,4000000000]}})",
                    16,
                    {"'a'", "16 bytes", "4000000000"}},
        HostileFile{"EndsBeforeItBegins",
                    R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[2,1]}})",
                    2,
                    {"'a'", "2 to 1"}},
        HostileFile{"ShapeNeedsOtherBytes",
                    R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})",
                    8,
                    {"'a'", "expected 12 bytes for F32 [3]", "0 to 8"}},
        HostileFile{"Overlap",
                    R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                    R"("b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}})",
                    6,
                    {"'b'", "from 4 on", "2 to 6"}},
        HostileFile{"Gap",
                    R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                    R"("b":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}})",
                    12,
                    {"'b'", "from 4 on", "8 to 12"}},
        HostileFile{"DataLeftOver",
                    R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
                    2,
                    {"expected 1 bytes", "got 2"}},
        HostileFile{"NameTwice",
                    R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                    R"("a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                    2,
                    {"'a'", "twice"}},
        HostileFile{
            "ControlCharactersInAName",
            R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a\u001b[2J":0})",
            1,
            {"'a?[2J'"}}),
    [](const auto& test) { return test.param.title; });

TEST_F(SafeTensorsTest, RefusesAHeaderLengthThatCannotBe) {
  const auto refused = [&](const std::string& content) {
    return error_of(ErrorCode::kData, [&] { read_safetensors(write_bytes(content)); });
  };
  EXPECT_THAT(refused(""), HasSubstr("got 0 bytes"));
  EXPECT_THAT(refused(std::string(7, '\0')), HasSubstr("got 7 bytes"));
  EXPECT_THAT(refused(std::string(8, '\0')), HasSubstr("JSON object"));
  EXPECT_THAT(refused(std::string("\x09\0\0\0\0\0\0\0{}", 10)),
              AllOf(HasSubstr("10 bytes"), HasSubstr("9 bytes of header")));
  EXPECT_THAT(refused(std::string(8, '\xff') + "{}"),
              AllOf(HasSubstr("100000000"), HasSubstr("18446744073709551615")));
}

TEST_F(SafeTensorsTest, RefusesABooleanThatIsNeitherZeroNorOne) {
  write_safetensors(file_, {{"mask", at::ones({2}, at::kBool)}});
  std::string bytes = read_file(file_);
  bytes.back() = '\2';
  EXPECT_THAT(error_of(ErrorCode::kData, [&] { read_safetensors(write_bytes(bytes)); }),
              AllOf(HasSubstr("'mask'"), HasSubstr("0 or 1")));
}

TEST_F(SafeTensorsTest, RefusesAFileThatWasCutAnywhere) {
  const std::string bytes = read_file(kReference);
  for (size_t size = 0; size < bytes.size(); ++size) {
    error_of(ErrorCode::kData,
             [&] { read_safetensors(write_bytes(bytes.substr(0, size))); });
  }
}

TEST_F(SafeTensorsTest, AMissingFileIsAnErrorOfTheFileSystem) {
  EXPECT_THAT(error_of(ErrorCode::kIo, [&] { read_safetensors(folder_ / "none"); }),
              HasSubstr("No such file"));
}

TEST(CopyNamedTensorsTest, CopiesInPlaceByNameAndConvertsTheDtype) {
  const torch::Tensor weight = at::zeros({2}).set_requires_grad(true);
  const torch::Tensor count = at::zeros({}, at::kLong);
  copy_named_tensors(
      {{"count", at::full({}, 7, at::kLong)}, {"weight", at::ones({2}, at::kHalf)}},
      {{"weight", weight}, {"count", count}}, "weights");
  EXPECT_TRUE(weight.equal(at::ones({2})));
  EXPECT_EQ(count.item<int64_t>(), 7);
}

TEST(CopyNamedTensorsTest, CopiesNothingAndListsAllWhenOneDoesNotFit) {
  const torch::Tensor fits = at::zeros({2});
  const NamedTensors into = {{"fits", fits},
                             {"gone", at::zeros({1})},
                             {"fc.weight", at::zeros({10, 512})},
                             {"count", at::zeros({}, at::kLong)}};
  const std::string message = error_of(ErrorCode::kData, [&] {
    copy_named_tensors({{"fits", at::ones({2})},
                        {"extra", at::ones({1})},
                        {"fc.weight", at::ones({1000, 512})},
                        {"count", at::ones({})}},
                       into, "model.safetensors");
  });
  EXPECT_TRUE(fits.equal(at::zeros({2})));
  EXPECT_THAT(message, HasSubstr("[checkpoint] model.safetensors: "));
  EXPECT_THAT(message, HasSubstr("missing: gone;"));
  EXPECT_THAT(message, HasSubstr("surplus: extra;"));
  EXPECT_THAT(message,
              HasSubstr("fc.weight (expected Float [10, 512], got Float [1000, 512])"));
  EXPECT_THAT(message, HasSubstr("count (expected Long [], got Float [])"));
}

TEST(CopyNamedTensorsTest, ListsAtMostTwentyNames) {
  NamedTensors into;
  for (int i = 10; i < 35; ++i) into.emplace_back(cat("w", i), at::zeros({1}));
  const std::string message =
      error_of(ErrorCode::kData, [&] { copy_named_tensors({}, into, "model"); });
  EXPECT_THAT(message, AllOf(HasSubstr("w10, w11"), HasSubstr("w29 and 5 more")));
  EXPECT_THAT(message, Not(HasSubstr("w30")));
}

TEST(CopyNamedTensorsTest, ATiedNameMayBeMissing) {
  const torch::Tensor tied = at::zeros({3});
  copy_named_tensors({{"wte", at::ones({3})}}, {{"wte", tied}, {"head", tied}}, "model");
  EXPECT_TRUE(tied.equal(at::ones({3})));
  const NamedTensors untied = {{"wte", at::zeros({3})}, {"head", at::zeros({3})}};
  EXPECT_THAT(error_of(ErrorCode::kData,
                       [&] {
                         copy_named_tensors({{"wte", tied}}, untied, "model");
                       }),
              HasSubstr("missing: head"));
}

}  // namespace
}  // namespace stoker
