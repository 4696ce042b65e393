#include "stoker/train/loop.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker {
namespace {
namespace fs = std::filesystem;

/// A folder of its own for each test, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "stoker-loop-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { fs::remove_all(path_); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// 42 real images of two classes.
void make_data(const fs::path& folder, int per_class = 21) {
  for (const char* name : {"cat", "ship"}) {
    fs::create_directories(folder / name);
    std::vector<fs::path> files;
    for (const auto& file : fs::directory_iterator(
             fs::path(STOKER_SOURCE_DIR) / "examples/data/cifar10/train" / name)) {
      files.push_back(file.path());
    }
    std::sort(files.begin(), files.end());
    for (int i = 0; i < per_class; ++i) {
      fs::copy_file(files[static_cast<size_t>(i)],
                    folder / name / files[static_cast<size_t>(i)].filename());
    }
  }
}

class Recorder : public Listener {
 public:
  void on(const Event& event) override {
    events.push_back(event);
    if (const auto* step = std::get_if<StepDone>(&event)) {
      if (step->step == stop_after) stop = SIGTERM;
    }
  }
  template <typename T>
  std::vector<T> all() const {
    std::vector<T> found;
    for (const Event& event : events) {
      if (const auto* item = std::get_if<T>(&event)) found.push_back(*item);
    }
    return found;
  }
  std::vector<Event> events;
  int64_t stop_after = -1;
  std::atomic<int> stop{0};
};

constexpr const char* kRecipe = R"(
seed = 3
[data]
train = "data"
val = "data"
augment = [ { random_crop = { size = 32, padding = 4 } }, { hflip = { p = 0.5 } },
            { normalize = "cifar10" } ]
[model]
name = "fast_net"
widths = [8, 8, 8]
[train]
epochs = 3
batch = 16
micro_batch = 6
threads = 1
[optimizer]
lr = 0.05
nesterov = true
[schedule]
warmup = { epochs = 1 }
[[method]]
name = "ema"
decay = 0.9
[[method]]
name = "lookahead"
every = 2
)";

class LoopTest : public ::testing::Test {
 protected:
  LoopTest() { make_data(folder_.path() / "data"); }

  config::Recipe recipe(const std::vector<std::string>& overrides = {}) const {
    return config::parse_recipe(kRecipe, folder_.path() / "recipe.toml", overrides);
  }
  RunFinished run(const std::string& name, const config::Recipe& with, Recorder& recorder,
                  std::optional<TrainingState> resume = std::nullopt) {
    const Plan plan = make_plan(with, {});
    RunOptions options;
    options.folder = folder_.path() / name;
    fs::create_directories(options.folder);
    options.resume = std::move(resume);
    options.stop = &recorder.stop;
    Events events;
    events.add(std::shared_ptr<Listener>(&recorder, [](Listener*) {}));
    return train(plan, events, options);
  }
  TrainingState newest(const std::string& name) const {
    return CheckpointStore::load(
        *CheckpointStore(folder_.path() / name / "checkpoints", 2, true).newest());
  }
  TemporaryFolder folder_;
};

void expect_equal_bits(const NamedTensors& a, const NamedTensors& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].first, b[i].first);
    EXPECT_TRUE(torch::equal(a[i].second, b[i].second)) << a[i].first;
  }
}

TEST_F(LoopTest, TakesEverySampleOnceAnEpoch) {
  Recorder recorder;
  run("a", recipe(), recorder);
  std::vector<int64_t> sizes;
  for (const StepDone& step : recorder.all<StepDone>()) sizes.push_back(step.samples);
  EXPECT_EQ(sizes, (std::vector<int64_t>{16, 16, 10, 16, 16, 10, 16, 16, 10}));
  for (const EpochDone& epoch : recorder.all<EpochDone>()) EXPECT_EQ(epoch.samples, 42);
}

TEST_F(LoopTest, WeighsTheLossOfAnEpochBySamples) {
  Recorder recorder;
  run("a", recipe(), recorder);
  double sum = 0;
  for (const StepDone& step : recorder.all<StepDone>()) {
    if (step.epoch == 0) sum += step.loss * static_cast<double>(step.samples);
  }
  EXPECT_NEAR(recorder.all<EpochDone>().front().loss, sum / 42, 1e-6);
}

TEST_F(LoopTest, AccountsForTheWholeWallTime) {
  Recorder recorder;
  const RunFinished end = run("a", recipe(), recorder);
  EXPECT_TRUE(end.completed);
  EXPECT_NEAR(end.time.total(), end.wall_seconds, 0.02 * end.wall_seconds);
  EXPECT_GT(end.time.forward, 0);
  EXPECT_GT(end.time.backward, 0);
  EXPECT_GT(end.time.evaluation, 0);
  EXPECT_GT(end.time.checkpoint, 0);
  EXPECT_GT(end.memory.parameters, 0);
  EXPECT_GT(end.memory.gradients, 0);
  EXPECT_GT(end.memory.optimizer, end.memory.gradients);
  EXPECT_GT(end.memory.activations, 0);
  EXPECT_GT(end.memory.loader, 0);
}

// The heart of the matter: stopped after any update, also within an epoch, a resumed
// training ends with the same bits in weights, averages, momentum and random state.
TEST_F(LoopTest, ResumesWithEqualBitsFromAnyUpdate) {
  Recorder whole;
  run("whole", recipe(), whole);
  const TrainingState expected = newest("whole");
  for (const int64_t stop_after : {1, 2, 3, 4, 6, 8}) {
    const std::string name = cat("part", stop_after);
    Recorder first;
    first.stop_after = stop_after;
    const RunFinished stopped = run(name, recipe(), first);
    EXPECT_FALSE(stopped.completed);
    EXPECT_EQ(stopped.step, stop_after);
    const TrainingState saved = newest(name);
    EXPECT_EQ(saved.step, stop_after);

    Recorder second;
    run(name, recipe({"data.workers=3"}), second, saved);
    EXPECT_EQ(second.all<StepDone>().front().step, stop_after + 1);
    const TrainingState got = newest(name);
    expect_equal_bits(got.model, expected.model);
    expect_equal_bits(got.training, expected.training);
    EXPECT_EQ(got.values, expected.values);
    EXPECT_EQ(second.all<EpochDone>().back().loss, whole.all<EpochDone>().back().loss);
  }
}

TEST_F(LoopTest, GivesTheSameBitsWithOneAndManyLoaderThreads) {
  Recorder recorder;
  run("one", recipe({"data.workers=1"}), recorder);
  run("many", recipe({"data.workers=8"}), recorder);
  expect_equal_bits(newest("one").model, newest("many").model);
}

TEST_F(LoopTest, SavesBetweenEpochsWhenAsked) {
  Recorder recorder;
  run("a", recipe({"checkpoint.every_steps=2", "train.epochs=1"}), recorder);
  std::vector<int64_t> steps;
  for (const auto& saved : recorder.all<CheckpointSaved>()) steps.push_back(saved.step);
  EXPECT_EQ(steps, (std::vector<int64_t>{2, 3}));
}

TEST_F(LoopTest, RefusesTheCheckpointOfAnotherTrainingAndNamesTheFields) {
  Recorder recorder;
  run("a", recipe({"train.epochs=1"}), recorder);
  const TrainingState state = newest("a");
  try {
    run("a", recipe({"seed=4", "train.batch=14"}), recorder, state);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    const std::string what = error.what();
    EXPECT_NE(what.find("seed: checkpoint 3, recipe 4"), std::string::npos) << what;
    EXPECT_NE(what.find("train.batch: checkpoint 16, recipe 14"), std::string::npos)
        << what;
  }
}

TEST_F(LoopTest, SaysThatAFinishedTrainingNeedsMoreEpochs) {
  Recorder recorder;
  run("a", recipe({"train.epochs=1"}), recorder);
  try {
    run("a", recipe({"train.epochs=1"}), recorder, newest("a"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("--set train.epochs=2"), std::string::npos);
  }
  Recorder longer;
  EXPECT_TRUE(run("a", recipe({"train.epochs=2"}), longer, newest("a")).completed);
  EXPECT_EQ(longer.all<StepDone>().size(), 3U);
}

TEST_F(LoopTest, GivesUpWhenNoGradientIsFiniteAndNamesTheParameter) {
  Recorder recorder;
  try {
    run("a",
        recipe({"optimizer.lr=1e6", "train.epochs=20", "schedule.main.name=constant"}),
        recorder);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNumeric);
    EXPECT_NE(std::string(error.what()).find("is not finite"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("updates in a row"), std::string::npos);
  }
  EXPECT_FALSE(recorder.all<Warned>().empty());
}

}  // namespace
}  // namespace stoker
