#include "stoker/train/step.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "stoker/base/clock.h"
#include "stoker/base/files.h"

namespace stoker {
namespace {
namespace fs = std::filesystem;

/// Records whose labels are the numbers of the case; the pixels are those of a real
/// image.
class LabelledSource : public data::RecordSource {
 public:
  explicit LabelledSource(std::vector<int64_t> labels) : labels_(std::move(labels)) {
    const fs::path folder =
        fs::path(STOKER_SOURCE_DIR) / "examples/data/cifar10/test/cat";
    bytes_ = read_file(fs::directory_iterator(folder)->path());
    about_.num_records = static_cast<int64_t>(labels_.size());
  }
  const data::SourceDescription& describe() const override { return about_; }
  Result<data::Record> read(int64_t index,
                            data::RecordBuffer& /*buffer*/) const override {
    return data::Record{std::as_bytes(std::span(bytes_)),
                        labels_[static_cast<size_t>(index)]};
  }
  std::string name(int64_t index) const override { return std::to_string(index); }

 private:
  std::vector<int64_t> labels_;
  std::string bytes_;
  data::SourceDescription about_;
};

/// One weight w; the loss of a sample is -w x, with x its label.
class OneWeight : public Model {
 public:
  OneWeight() { w = register_parameter("w", torch::zeros({1, 1})); }
  torch::Tensor forward(const torch::Tensor& input) override {
    return w.expand({input.size(0), 1});
  }
  torch::Tensor w;
};

class MinusProduct : public Task {
 public:
  TaskOutput run(Model& model, const torch::Tensor& input,
                 const torch::Tensor& labels) const override {
    const auto x =
        labels.to(torch::kFloat32)
            .masked_fill(labels == kInfinite, std::numeric_limits<float>::infinity());
    return {-(model.forward(input).squeeze(1) * x).sum(),
            torch::zeros({}, torch::kInt64)};
  }
  static constexpr int64_t kInfinite = 999;
};

struct Arithmetic {
  explicit Arithmetic(std::vector<int64_t> labels, int64_t batch, int64_t micro_batch,
                      double clip_norm = 0) {
    plan.recipe.optimizer.lr = 0.1;
    plan.recipe.optimizer.momentum = 0;
    plan.recipe.optimizer.weight_decay = 0;
    plan.recipe.train.clip_norm = clip_norm;
    plan.recipe.train.channels_last = false;
    plan.train.source = std::make_shared<LabelledSource>(std::move(labels));
    plan.train.program = std::make_shared<data::AugmentProgram>(
        std::vector<config::NamedConfig>{
            {"center_crop",
             config::Node(config::Node::Table{{"size", {int64_t{8}, {}}}}, {})}},
        3, data::Layout::kNchw);
    data::LoaderOptions options;
    options.order = {plan.train.num_records(), 1, /*shuffle=*/false};
    options.batch = micro_batch;
    options.global_batch = batch;
    options.workers = 1;
    loader =
        std::make_unique<data::Loader>(plan.train.source, plan.train.program, options);
    feed = std::make_unique<UpdateFeed>(*loader);
    model = std::make_shared<OneWeight>();
    session = std::make_unique<Session>(plan, model);
    step = std::make_unique<TrainStep>(plan, *session, task);
    batch_size = batch;
  }
  StepResult update() {
    EXPECT_TRUE(feed->begin_update());
    const int64_t expected =
        data::batch_range(plan.train.num_records(), batch_size, feed->update()).size();
    return step->run(*feed, expected, 0.1);
  }
  double w() const { return model->w.item<double>(); }

  Plan plan;
  MinusProduct task;
  int64_t batch_size = 0;
  std::unique_ptr<data::Loader> loader;
  std::unique_ptr<UpdateFeed> feed;
  std::shared_ptr<OneWeight> model;
  std::unique_ptr<Session> session;
  std::unique_ptr<TrainStep> step;
};

TEST(TrainStep, WeighsTheShortTailOfAnAccumulationBySamples) {
  Arithmetic run({1, 2, 3, 4, 6}, /*batch=*/2, /*micro_batch=*/1);
  for (const double expected : {0.15, 0.50, 1.10}) {
    run.update();
    EXPECT_NEAR(run.w(), expected, 1e-6);
  }
  EXPECT_FALSE(run.feed->begin_update());
}

TEST(TrainStep, TakesTheMeanOverUnequalMicroBatches) {
  // 5 samples in micro-batches of 2, 2, 1: the gradient is the mean 16 / 5.
  Arithmetic run({1, 2, 3, 4, 6}, /*batch=*/5, /*micro_batch=*/2);
  const StepResult result = run.update();
  EXPECT_EQ(result.samples, 5);
  EXPECT_NEAR(run.w(), 0.32, 1e-6);
}

TEST(TrainStep, ClipsToTheNormAndReportsTheNormBefore) {
  Arithmetic run({3, 5}, /*batch=*/2, /*micro_batch=*/2, /*clip_norm=*/1);
  const StepResult result = run.update();
  EXPECT_NEAR(result.gradient_norm, 4.0, 1e-6);
  EXPECT_NEAR(run.w(), 0.1, 1e-6);
}

TEST(TrainStep, SkipsAnUpdateWhoseGradientIsNotFiniteAndNamesTheParameter) {
  Arithmetic run({1, 2, MinusProduct::kInfinite, 4, 6, 8}, /*batch=*/2,
                 /*micro_batch=*/2);
  run.update();
  EXPECT_NEAR(run.w(), 0.15, 1e-6);
  const StepResult bad = run.update();
  EXPECT_TRUE(bad.skipped);
  EXPECT_EQ(bad.first_nonfinite, "w");
  EXPECT_NEAR(run.w(), 0.15, 1e-6);
  EXPECT_FALSE(run.update().skipped);
  EXPECT_NEAR(run.w(), 0.85, 1e-6);
}

TEST(TrainStep, CountsEverySecondOnce) {
  // Another process may take the core behind the last reading, but not each time.
  double least_missing = 1;
  for (int i = 0; i < 20; ++i) {
    Arithmetic run({1, 2, 3, 4, 6}, /*batch=*/5, /*micro_batch=*/1);
    const Stopwatch watch;
    const StepResult result = run.update();
    const double seconds = watch.seconds();
    EXPECT_LE(result.time.total(), seconds);
    least_missing =
        std::min(least_missing, (seconds - result.time.total()) / (seconds + 0.05));
  }
  EXPECT_LT(least_missing, 0.02);
}

}  // namespace
}  // namespace stoker
