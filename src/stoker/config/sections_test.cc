#include "stoker/config/sections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "stoker/config/recipe.h"
#include "stoker/config/testing.h"
#include "stoker/config/toml.h"

namespace stoker::config {
namespace {

using ::testing::HasSubstr;

constexpr char kShort[] = "[data]\ntrain = \"t\"\n[model]\nname = \"m\"\n";

/// A wrong line below a short recipe that is right: its line is 6.
std::string refusal(const std::string& section, const std::string& line) {
  return message_of([&] {
    read_recipe(parse_toml(std::string(kShort) + "[" + section + "]\n" + line, "r.toml"));
  });
}

std::string data_refusal(const std::string& line) {
  return message_of([&] {
    read_recipe(parse_toml("model.name = 'm'\n[data]\ntrain = 't'\n" + line, "r.toml"));
  });
}

TEST(Recipe, NeedsOnlyDataAndModel) {
  const Recipe recipe = read_recipe(parse_toml(kShort, "r.toml"));
  EXPECT_EQ(recipe.data.train, "t");
  EXPECT_EQ(recipe.model.name, "m");
  EXPECT_EQ(recipe.train, TrainConfig{});
  EXPECT_EQ(recipe.schedule, ScheduleConfig{});
  EXPECT_EQ(message_of([] { read_recipe(parse_toml("seed = 2", "r.toml")); }),
            "[recipe] r.toml: data: expected a [data] table, got nothing");
  EXPECT_EQ(message_of([] { read_recipe(parse_toml("data.train = 't'", "r.toml")); }),
            "[recipe] r.toml: model: expected a [model] table, got nothing");
  EXPECT_EQ(
      message_of([] {
        read_recipe(parse_toml("\n[data]\nval = 'v'\n[model]\nname = 'm'", "r.toml"));
      }),
      "[recipe] r.toml:2: data.train: expected a value, got nothing");
}

TEST(Recipe, RefusesUnknownKeysInEachSection) {
  EXPECT_EQ(refusal("train", "epoch = 3"),
            "[recipe] r.toml:6: train.epoch: unknown key, did you mean 'epochs'?");
  EXPECT_EQ(refusal("optimizer", "learning_rate = 3"),
            "[recipe] r.toml:6: optimizer.learning_rate: unknown key; known: name, lr, "
            "momentum, nesterov, weight_decay, decay_norm_and_bias, "
            "norm_and_bias_lr_scale");
  EXPECT_THAT(refusal("schedule", "warmpu = {}"),
              HasSubstr(":6: schedule.warmpu: unknown"));
  EXPECT_THAT(refusal("schedule.warmup", "epoch = 1"),
              HasSubstr("r.toml:6: schedule.warmup.epoch: unknown key, did you mean "
                        "'epochs'?"));
  EXPECT_THAT(refusal("schedule.main", "milestone = []"),
              HasSubstr("mean 'milestones'?"));
  EXPECT_THAT(refusal("checkpoint", "keep = 1"),
              HasSubstr("checkpoint.keep: unknown key"));
  EXPECT_THAT(refusal("report", "pdf = true"), HasSubstr(":6: report.pdf: unknown key"));
  EXPECT_THAT(refusal("targets", "acuracy = 1"), HasSubstr("did you mean 'accuracy'?"));
  EXPECT_THAT(refusal("optimiser", "lr = 1"), HasSubstr("did you mean 'optimizer'?"));
  EXPECT_THAT(data_refusal("trian = 1"), HasSubstr("r.toml:4: data.trian: unknown key"));
}

TEST(Recipe, RefusesNumbersOutOfRange) {
  const struct {
    const char* section;
    const char* line;
    const char* expected;
  } cases[] = {
      {"train", "epochs = 0",
       "train.epochs: expected an integer from 1 to 10000000, got 0"},
      {"train", "batch = -8", "train.batch: expected an integer of at least 1, got -8"},
      {"train", "micro_batch = 0",
       "expected \"auto\" or an integer of at least 1, got 0"},
      {"train", "threads = 257",
       "expected \"auto\" or an integer from 1 to 256, got 257"},
      {"train", "label_smoothing = 1.0", "of at least 0 and below 1, got 1.0"},
      {"train", "clip_norm = -1", "train.clip_norm: expected a number of at least 0"},
      {"train", "eval_every = 0", "train.eval_every: expected an integer of at least 1"},
      {"train", "eval_batch = 0",
       "train.eval_batch: expected \"auto\" or an integer of at least 1, got 0"},
      {"optimizer", "lr = 0", "optimizer.lr: expected a number above 0, got 0"},
      {"optimizer", "lr = -0.1", "optimizer.lr: expected a number above 0, got -0.1"},
      {"optimizer", "momentum = 1",
       "optimizer.momentum: expected a number of at least 0"},
      {"optimizer", "weight_decay = -1e-4",
       "expected a number of at least 0, got -1e-04"},
      {"optimizer", "norm_and_bias_lr_scale = -1", "expected a number of at least 0"},
      {"schedule.warmup", "epochs = -1", "schedule.warmup.epochs: expected a number of"},
      {"schedule.warmup", "steps = -1", "schedule.warmup.steps: expected an integer of"},
      {"schedule.warmup", "from = -1", "expected \"auto\" or a number of at least 0"},
      {"schedule.main", "to = -1", "schedule.main.to: expected a number of at least 0"},
      {"schedule.main", "milestones = [-1]", "each a number of at least 0, got [-1]"},
      {"schedule.main", "step_epochs = 0",
       "step_epochs: expected a number above 0, got 0"},
      {"schedule.main", "gamma = 2",
       "schedule.main.gamma: expected a number from 0 to 1"},
      {"checkpoint", "every_epochs = 0",
       "every_epochs: expected an integer of at least 1"},
      {"checkpoint", "every_steps = -1",
       "every_steps: expected an integer of at least 0"},
      {"targets", "accuracy = 92", "targets.accuracy: expected a number from 0 to 1"},
  };
  for (const auto& wrong : cases) {
    const std::string message = refusal(wrong.section, wrong.line);
    EXPECT_THAT(message, HasSubstr("[recipe] r.toml:6: ")) << wrong.line;
    EXPECT_THAT(message, HasSubstr(wrong.expected));
  }
  EXPECT_THAT(data_refusal("workers = 0"), HasSubstr("r.toml:4: data.workers: expected "
                                                     "\"auto\" or an integer from 1 to"));
  EXPECT_THAT(data_refusal("queue_mib = 0"), HasSubstr("data.queue_mib: expected"));
  EXPECT_THAT(data_refusal("channels = 2"), HasSubstr("expected 1 or 3, got 2"));
  EXPECT_THAT(data_refusal("max_bad_samples = -1"), HasSubstr("of at least 0, got -1"));
  EXPECT_EQ(message_of([] { read_recipe(parse_toml("seed = -1", "r.toml")); }),
            "[recipe] r.toml:1: seed: expected an integer of at least 0, got -1");
}

TEST(Recipe, RefusesWrongTypes) {
  EXPECT_EQ(refusal("train", "channels_last = 1"),
            "[recipe] r.toml:6: train.channels_last: expected true or false, got 1");
  EXPECT_EQ(refusal("optimizer", "name = 1"),
            "[recipe] r.toml:6: optimizer.name: expected a string, got 1");
  EXPECT_THAT(refusal("train", "micro_batch = \"big\""), HasSubstr("got \"big\""));
  EXPECT_THAT(data_refusal("augment = 'hflip'"),
              HasSubstr("r.toml:4: data.augment: expected a list, got a string"));
  EXPECT_THAT(data_refusal("eval_augment = 'none'"), HasSubstr("\"auto\" or a list"));
  EXPECT_EQ(message_of([] {
              read_recipe(parse_toml(std::string("method = [1]\n") + kShort, "r.toml"));
            }),
            "[recipe] r.toml:1: method[0]: expected a table, got 1");
}

TEST(Recipe, KnowsOnlyThePrecisionThatItHas) {
  EXPECT_EQ(refusal("train", "precision = \"bf16\""),
            "[recipe] r.toml:6: train.precision: expected one of fp32, got \"bf16\"");
}

TEST(Recipe, KeepsAtLeastOneCheckpoint) {
  for (const char* line : {"keep_last = 0", "keep_last = -1"}) {
    EXPECT_THAT(refusal("checkpoint", line), HasSubstr("keep at least 1"));
  }
}

TEST(Recipe, RefusesAMicroBatchAboveTheBatch) {
  EXPECT_EQ(
      refusal("train", "micro_batch = 65\nbatch = 64"),
      "[recipe] r.toml:6: train.micro_batch: expected at most train.batch, which is "
      "64, got 65");
  EXPECT_EQ(refusal("train", "micro_batch = 64\nbatch = 64"), "no error");
}

TEST(Recipe, RefusesNesterovWithoutMomentum) {
  EXPECT_THAT(refusal("optimizer", "nesterov = true\nmomentum = 0"),
              HasSubstr("r.toml:6: optimizer.nesterov"));
}

TEST(Recipe, WarmsUpByEpochsOrBySteps) {
  EXPECT_THAT(refusal("schedule", "warmup = { epochs = 5, steps = 10 }"),
              HasSubstr("r.toml:6: schedule.warmup.steps: expected 0 beside epochs = 5"));
  EXPECT_EQ(refusal("schedule", "warmup = { epochs = 0, steps = 10 }"), "no error");
}

TEST(Recipe, ReadsAChainOfTablesNamesAndBareValues) {
  const Recipe recipe =
      read_recipe(parse_toml("model.name = 'm'\n[data]\ntrain = 't'\naugment = [ { "
                             "random_crop = { size = 32 } }, "
                             "{ normalize = \"cifar10\" }, \"hflip\" ]",
                             "r.toml"));
  const auto& chain = recipe.data.augment;
  ASSERT_EQ(chain.size(), 3U);
  EXPECT_EQ(chain[0].name, "random_crop");
  EXPECT_EQ(chain[0].params.find("size")->toml(), "32");
  EXPECT_EQ(chain[1].name, "normalize");
  EXPECT_EQ(chain[1].params.string(), "cifar10");
  EXPECT_EQ(chain[2].name, "hflip");
  EXPECT_TRUE(chain[2].params.table().empty());
  EXPECT_EQ(recipe.data.eval_augment, std::nullopt);
}

TEST(Recipe, RefusesAnAugmentationWithTwoNames) {
  const std::string message =
      data_refusal("augment = [\n  'hflip',\n  { a = 1, b = 2 },\n]");
  EXPECT_THAT(message, HasSubstr("r.toml:6: data.augment[1]: expected a table with one "
                                 "name, got 2 (a, b)"));
  EXPECT_THAT(message, HasSubstr("write each in a table of its own"));
  EXPECT_THAT(data_refusal("augment = [{}]"), HasSubstr("with one name, got 0"));
  EXPECT_THAT(data_refusal("augment = [3]"), HasSubstr("expected a name or { name ="));
}

TEST(Recipe, LeavesTheRestOfModelAndMethodToThoseWhoKnowIt) {
  const Recipe recipe =
      read_recipe(parse_toml("[data]\ntrain = 't'\n[model]\nname = 'm'\nclasses = "
                             "7\nstem = 'cifar'\n[[method]]\n"
                             "name = 'ema'\ndecay = 0.5\n",
                             "r.toml"));
  EXPECT_EQ(recipe.model.classes, 7);
  EXPECT_EQ(recipe.model.params.toml(), "{ stem = \"cifar\" }");
  EXPECT_EQ(recipe.model.params.find("stem")->where().text(), "r.toml:6");
  ASSERT_EQ(recipe.methods.size(), 1U);
  EXPECT_EQ(recipe.methods[0].name, "ema");
  EXPECT_EQ(recipe.methods[0].params.toml(), "{ decay = 0.5 }");
  EXPECT_EQ(message_of([] {
              read_recipe(parse_toml(std::string(kShort) + "[[method]]\nname = 'a'\n"
                                                           "[[method]]\ndecay = 1\n",
                                     "r.toml"));
            }),
            "[recipe] r.toml:7: method[1].name: expected a value, got nothing");
}

}  // namespace
}  // namespace stoker::config
