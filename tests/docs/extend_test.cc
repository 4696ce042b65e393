// The code that docs/add_a*.md shows does what it says.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "augmentation.h"
#include "format.h"
#include "method.h"
#include "model.h"
#include "optimizer.h"
#include "schedule.h"
#include "stoker/base/files.h"

namespace stoker {
namespace {

config::Node params(config::Node::Table table) {
  return {std::move(table), {"x.toml", 1}};
}

TEST(ExampleModel, TakesItsKeyAndLearnsFromTheMeanColour) {
  const auto model =
      make_colour_net({"colour_net", 5, 3, params({{"hidden", {int64_t{4}, {}}}})});
  EXPECT_EQ(count_parameters(*model), 3 * 4 + 4 + 4 * 5 + 5);
  const auto input = torch::rand({2, 3, 8, 8});
  const auto flat = input.mean({2, 3}, true).expand({2, 3, 8, 8});
  EXPECT_TRUE(torch::allclose(model->forward(input), model->forward(flat), 1e-4, 1e-6));
  EXPECT_THROW(
      make_colour_net({"colour_net", 5, 3, params({{"hiden", {int64_t{4}, {}}}})}),
      Error);
}

TEST(ExampleMethod, ClipsAfterEachUpdate) {
  auto weight = torch::tensor({-3.0F, 0.25F, 2.0F}).requires_grad_();
  const auto method = make_clip_weights(params({{"limit", {0.5, {}}}}), {{"w", weight}});
  method->after_update(1, 1);
  EXPECT_TRUE(torch::equal(weight.detach(), torch::tensor({-0.5F, 0.25F, 0.5F})));
}

TEST(ExampleOptimizer, MovesByTheSignAndDecays) {
  auto weight = torch::tensor({1.0F, 1.0F, 1.0F}).requires_grad_();
  const auto optimizer = make_sign_sgd({}, {{"w", weight, 1.0, 0.5}});
  weight.mutable_grad() = torch::tensor({7.0F, -0.01F, 0.0F});
  optimizer->step(0.1);
  // 1 * (1 - 0.1 * 0.5), then minus 0.1, plus 0.1, nothing.
  EXPECT_TRUE(torch::allclose(weight.detach(), torch::tensor({0.85F, 1.05F, 0.95F})));
}

TEST(ExampleFormat, ReadsRecordsAndNamesAWrongLine) {
  namespace fs = std::filesystem;
  const fs::path sample = fs::path(STOKER_SOURCE_DIR) / "examples/data/cifar10/test";
  const fs::path manifest = fs::temp_directory_path() / "stoker-extend-test.csv";
  write_file_atomically(manifest, (sample / "cat/0017.jpg").string() + ",3\n");
  const auto source = data::open_manifest(manifest, {});
  data::RecordBuffer buffer;
  const auto record = source->read(0, buffer);
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->label, 3);
  EXPECT_EQ(record->bytes.size(), fs::file_size(sample / "cat/0017.jpg"));
  EXPECT_EQ(source->describe().class_counts, (std::vector<int64_t>{0, 0, 0, 1}));
  write_file_atomically(manifest, "a.jpg,1\nb.jpg,cat\n");
  try {
    data::open_manifest(manifest, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(":2: expected path,label"),
              std::string::npos);
  }
  fs::remove(manifest);
}

class ExampleAugmentation : public ::testing::Test {
 protected:
  /// The pixels of a real image after a half turn with this probability.
  std::vector<float> run(double probability, uint64_t sample) {
    const config::Node table = params({{"p", {probability, {}}}});
    config::Reader reader(table, "half_turn");
    const auto operation = data::detail::make_half_turn(reader, 3);
    reader.finish();
    data::detail::Canvas canvas(std::as_bytes(std::span(jpeg_)), 3, buffers_);
    EXPECT_TRUE(canvas.open().ok());
    EXPECT_TRUE(operation->apply(canvas, {.seed = 1, .epoch = 0, .sample = sample}, 0));
    std::vector<float> floats(32 * 32 * 3);
    const double mean = 0;
    const double std = 1.0 / 255;  // Floats are then the bytes of the image.
    EXPECT_TRUE(canvas.write(data::detail::Normalization::of({&mean, 1}, {&std, 1}),
                             data::Layout::kNhwc, floats.data()));
    return floats;
  }
  const std::string jpeg_ = read_file(std::filesystem::path(STOKER_SOURCE_DIR) /
                                      "examples/data/cifar10/test/cat/0017.jpg");
  data::detail::Buffers buffers_;
};

TEST_F(ExampleAugmentation, TurnsEveryPixelToTheOppositePlace) {
  data::ImageDecoder decoder;
  data::Image image;
  ASSERT_TRUE(decoder.decode(std::as_bytes(std::span(jpeg_)), 3, image));
  const std::vector<float> turned = run(1, 0);
  for (int y = 0; y < 32; ++y) {
    for (int x = 0; x < 32; ++x) {
      const auto at = static_cast<size_t>((y * 32 + x) * 3);
      for (size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(turned[at + c],
                    image.row(31 - y)[static_cast<size_t>(31 - x) * 3 + c], 1e-3);
      }
    }
  }
}

TEST_F(ExampleAugmentation, TurnsAShareOfTheSamplesAndTheSameOnesAgain) {
  const std::vector<float> upright = run(0, 0);
  std::vector<bool> first, again;
  for (uint64_t sample = 0; sample < 1000; ++sample) {
    first.push_back(run(0.25, sample) != upright);
    again.push_back(run(0.25, sample) != upright);
  }
  EXPECT_EQ(first, again);
  // 1000 draws: 250, standard deviation 13.7; five of them.
  const auto turned = std::count(first.begin(), first.end(), true);
  EXPECT_NEAR(static_cast<double>(turned), 250, 68);
}

TEST(ExampleSchedule, FallsByTheFactorEveryEpoch) {
  config::ScheduleConfig schedule;
  schedule.gamma = 0.5;
  EXPECT_DOUBLE_EQ(exponential(schedule, 0.1, {.epochs = 0}), 0.1);
  EXPECT_DOUBLE_EQ(exponential(schedule, 0.1, {.epochs = 1}), 0.05);
  EXPECT_DOUBLE_EQ(exponential(schedule, 0.1, {.epochs = 3}), 0.0125);
  EXPECT_NEAR(exponential(schedule, 0.1, {.epochs = 0.5}), 0.1 * std::sqrt(0.5), 1e-12);
}

}  // namespace
}  // namespace stoker
