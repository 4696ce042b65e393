#include "stoker/config/sections.h"

#include <algorithm>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/config/reader.h"

namespace stoker::config {

namespace {
const Node kEmpty;

const Node& section(Reader& root, const char* name) {
  const Node* node = root.child(name);
  return node == nullptr ? kEmpty : *node;
}

[[noreturn]] void refuse(const Node& at, const std::string& path,
                         const std::string& expected) {
  throw Error(ErrorCode::kInvalid, cat("[recipe] ", at.where().text(), ": ", path,
                                       ": expected ", expected, ", got ", at.kind()));
}

/// The rest of a table, for the room that owns the name.
Node without(const Node& table, const std::vector<std::string>& keys) {
  Node::Table rest;
  for (const auto& [key, node] : table.table()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      rest.emplace_back(key, node);
  }
  return {std::move(rest), table.where()};
}

/// `{ hflip = { p = 0.5 } }`, or "hflip" for one without parameters.
NamedConfig named(const Node& item, const std::string& path) {
  if (item.is_string()) return {item.string(), Node(Node::Table{}, item.where())};
  if (!item.is_table()) refuse(item, path, "a name or { name = { parameters } }");
  if (item.table().size() == 1) {
    const auto& [name, params] = item.table().front();
    return {name, params};
  }
  std::vector<std::string> names;
  for (const auto& [name, params] : item.table()) names.push_back(name);
  throw Error(
      ErrorCode::kInvalid,
      cat("[recipe] ", item.where().text(), ": ", path,
          ": expected a table with one name, got ", names.size(), " (", join(names, ", "),
          "); steps run in the order of the list, and the keys of a table have "
          "none: write each in a table of its own"));
}

std::vector<NamedConfig> named_list(const Node& list, const std::string& path) {
  if (!list.is_array()) refuse(list, path, "a list");
  std::vector<NamedConfig> all;
  for (size_t i = 0; i < list.array().size(); ++i) {
    all.push_back(named(list.array()[i], cat(path, "[", i, "]")));
  }
  return all;
}

void read_eval_augment(Reader& reader, DataConfig& data) {
  const Node* list = reader.child("eval_augment");
  if (list == nullptr || (list->is_string() && list->string() == "auto")) return;
  if (!list->is_array()) reader.fail("eval_augment", "\"auto\" or a list");
  data.eval_augment = named_list(*list, "data.eval_augment");
}

void read_data(const Node& table, DataConfig& data) {
  Reader reader(table, "data");
  reader.require("train");
  reader.read("train", data.train);
  if (data.train.empty()) reader.fail("train", "the path of a data set");
  reader.read("val", data.val);
  reader.read("workers", data.workers, {1, 256});
  reader.read("queue_mib", data.queue_mib, {1, 1 << 20});
  if (const Node* list = reader.child("augment"))
    data.augment = named_list(*list, "data.augment");
  read_eval_augment(reader, data);
  reader.read("drop_last", data.drop_last);
  reader.read("channels", data.channels);
  if (data.channels != 1 && data.channels != 3) reader.fail("channels", "1 or 3");
  reader.read("max_bad_samples", data.max_bad_samples, {0});
  reader.finish();
}

void read_model(const Node& table, ModelConfig& model) {
  Reader reader(table, "model");
  reader.require("name");
  reader.read("name", model.name);
  reader.read("weights", model.weights);
  reader.read("classes", model.classes, {1, 10'000'000});
  model.params = without(table, {"name", "weights", "classes"});
}

void read_train(const Node& table, TrainConfig& train) {
  Reader reader(table, "train");
  reader.read("epochs", train.epochs, {1, 10'000'000});
  reader.read("batch", train.batch, {1});
  reader.read("micro_batch", train.micro_batch, {1});
  if (train.micro_batch && *train.micro_batch > train.batch) {
    reader.fail("micro_batch", cat("at most train.batch, which is ", train.batch));
  }
  reader.read_choice("precision", train.precision, {"fp32"});
  reader.read("label_smoothing", train.label_smoothing,
              {.min = 0, .max = 1, .open_max = true});
  reader.read("channels_last", train.channels_last);
  reader.read_choice("convolution", train.convolution, {"auto", "direct"});
  reader.read("threads", train.threads, {1, 256});
  reader.read("eval_every", train.eval_every, {1});
  reader.read("eval_batch", train.eval_batch, {1});
  reader.read("eval_flip", train.eval_flip);
  reader.read("eval_shift", train.eval_shift, {0, 16});
  reader.read("clip_norm", train.clip_norm, {0});
  reader.finish();
}

void read_optimizer(const Node& table, OptimizerConfig& optimizer) {
  Reader reader(table, "optimizer");
  reader.read("name", optimizer.name);
  reader.read("lr", optimizer.lr, {.min = 0, .open_min = true});
  reader.read("momentum", optimizer.momentum, {.min = 0, .max = 1, .open_max = true});
  reader.read("nesterov", optimizer.nesterov);
  if (optimizer.nesterov && optimizer.momentum == 0) {
    reader.fail("nesterov", "false while optimizer.momentum is 0");
  }
  reader.read("weight_decay", optimizer.weight_decay, {0});
  reader.read("decay_norm_and_bias", optimizer.decay_norm_and_bias);
  reader.read("norm_and_bias_lr_scale", optimizer.norm_and_bias_lr_scale, {0});
  reader.finish();
}

void read_warmup(const Node& table, WarmupConfig& warmup) {
  Reader reader(table, "schedule.warmup");
  reader.read("epochs", warmup.epochs, {0});
  reader.read("steps", warmup.steps, {0});
  if (warmup.epochs > 0 && warmup.steps > 0) {
    reader.fail("steps", cat("0 beside epochs = ", warmup.epochs),
                "a warm-up has epochs or steps; set the other to 0");
  }
  reader.read("from", warmup.from, {0});
  reader.finish();
}

void read_main(const Node& table, ScheduleConfig& schedule) {
  Reader reader(table, "schedule.main");
  reader.read("name", schedule.name);
  reader.read("to", schedule.to, {0});
  reader.read("milestones", schedule.milestones, {0});
  reader.read("step_epochs", schedule.step_epochs, {.min = 0, .open_min = true});
  reader.read("gamma", schedule.gamma, {0, 1});
  reader.finish();
}

void read_schedule(const Node& table, ScheduleConfig& schedule) {
  Reader reader(table, "schedule");
  read_warmup(section(reader, "warmup"), schedule.warmup);
  read_main(section(reader, "main"), schedule);
  reader.read_choice("unit", schedule.unit, {"step", "epoch"});
  reader.finish();
}

std::vector<NamedConfig> read_methods(const Node& list) {
  std::vector<NamedConfig> methods;
  if (!list.is_array()) refuse(list, "method", "[[method]] tables");
  for (size_t i = 0; i < list.array().size(); ++i) {
    const Node& item = list.array()[i];
    Reader reader(item, cat("method[", i, "]"));
    std::string name;
    reader.require("name");
    reader.read("name", name);
    methods.push_back({name, without(item, {"name"})});
  }
  return methods;
}

void read_checkpoint(const Node& table, CheckpointConfig& checkpoint) {
  Reader reader(table, "checkpoint");
  reader.read("every_epochs", checkpoint.every_epochs, {1});
  reader.read("every_steps", checkpoint.every_steps, {0});
  reader.read("keep_last", checkpoint.keep_last);
  if (checkpoint.keep_last < 1) {
    reader.fail("keep_last", "an integer of at least 1",
                "keep at least 1: the newest is what a stopped training goes on from");
  }
  reader.read("keep_best", checkpoint.keep_best);
  reader.finish();
}

void read_report(const Node& table, ReportConfig& report) {
  Reader reader(table, "report");
  reader.read("html", report.html);
  reader.read("tensorboard", report.tensorboard);
  reader.finish();
}

void read_targets(const Node& table, TargetsConfig& targets) {
  Reader reader(table, "targets");
  double accuracy = 0;
  reader.read("accuracy", accuracy, {0, 1});
  if (reader.has("accuracy")) targets.accuracy = accuracy;
  reader.finish();
}
}  // namespace

Recipe read_recipe(const Node& root) {
  Recipe recipe;
  Reader reader(root, "");
  reader.read("seed", recipe.seed);
  if (reader.child("data") == nullptr) reader.fail("data", "a [data] table");
  if (reader.child("model") == nullptr) reader.fail("model", "a [model] table");
  // load_recipe() takes it out of files.
  if (reader.child("extends") != nullptr) {
    reader.fail("extends", "it in a recipe file only");
  }
  read_data(section(reader, "data"), recipe.data);
  read_model(section(reader, "model"), recipe.model);
  read_train(section(reader, "train"), recipe.train);
  read_optimizer(section(reader, "optimizer"), recipe.optimizer);
  read_schedule(section(reader, "schedule"), recipe.schedule);
  if (const Node* list = reader.child("method")) recipe.methods = read_methods(*list);
  read_checkpoint(section(reader, "checkpoint"), recipe.checkpoint);
  read_report(section(reader, "report"), recipe.report);
  read_targets(section(reader, "targets"), recipe.targets);
  reader.finish();
  return recipe;
}

}  // namespace stoker::config
