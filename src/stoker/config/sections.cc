#include "stoker/config/sections.h"

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

/// `{ hflip = { p = 0.5 } }`, or "hflip" for one without parameters.
NamedConfig named(const Node& item, const std::string& path) {
  if (item.is_string()) return {item.string(), Node(Node::Table{}, item.where())};
  if (!item.is_table() || item.table().size() != 1) {
    throw Error(
        ErrorCode::kInvalid,
        cat("[recipe] ", item.where().text(), ": ", path,
            ": expected a table with one name, as in { hflip = { p = 0.5 } }, got ",
            item.toml()));
  }
  const auto& [name, params] = item.table().front();
  return {name, params};
}

std::vector<NamedConfig> named_list(const Node& list, const std::string& path) {
  if (!list.is_array()) {
    throw Error(ErrorCode::kInvalid, cat("[recipe] ", list.where().text(), ": ", path,
                                         ": expected a list, got ", list.toml()));
  }
  std::vector<NamedConfig> all;
  for (size_t i = 0; i < list.array().size(); ++i) {
    all.push_back(named(list.array()[i], cat(path, "[", i, "]")));
  }
  return all;
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
  if (const Node* list = reader.child("eval_augment")) {
    data.eval_augment = named_list(*list, "data.eval_augment");
  }
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
  reader.read("classes", model.classes, {1});
  Node::Table own;
  for (const auto& [key, node] : table.table()) {
    if (key != "name" && key != "weights" && key != "classes")
      own.emplace_back(key, node);
  }
  model.params = Node(std::move(own), table.where());
}

void read_train(const Node& table, TrainConfig& train) {
  Reader reader(table, "train");
  reader.read("epochs", train.epochs, {1});
  reader.read("batch", train.batch, {1});
  reader.read("micro_batch", train.micro_batch, {1});
  if (train.micro_batch && *train.micro_batch > train.batch) {
    reader.fail("micro_batch", cat("at most train.batch, which is ", train.batch));
  }
  reader.read_choice("precision", train.precision, {"fp32"});
  reader.read("label_smoothing", train.label_smoothing, {0, 0.999});
  reader.read("channels_last", train.channels_last);
  reader.read("threads", train.threads, {1, 1024});
  reader.read("eval_every", train.eval_every, {1});
  reader.read("eval_batch", train.eval_batch, {1});
  reader.read("eval_flip", train.eval_flip);
  reader.read("clip_norm", train.clip_norm, {0});
  reader.finish();
}

void read_optimizer(const Node& table, OptimizerConfig& optimizer) {
  Reader reader(table, "optimizer");
  reader.read("name", optimizer.name);
  reader.read("lr", optimizer.lr, {1e-12, 1e6});
  reader.read("momentum", optimizer.momentum, {0, 0.99999});
  reader.read("nesterov", optimizer.nesterov);
  if (optimizer.nesterov && optimizer.momentum == 0) {
    reader.fail("nesterov", "false while optimizer.momentum is 0");
  }
  reader.read("weight_decay", optimizer.weight_decay, {0, 1e6});
  reader.read("decay_norm_and_bias", optimizer.decay_norm_and_bias);
  reader.read("norm_and_bias_lr_scale", optimizer.norm_and_bias_lr_scale, {0, 1e6});
  reader.finish();
}

void read_schedule(const Node& table, ScheduleConfig& schedule) {
  Reader reader(table, "schedule");
  if (const Node* node = reader.child("warmup")) {
    Reader warmup(*node, "schedule.warmup");
    warmup.read("epochs", schedule.warmup.epochs, {0, 1e9});
    warmup.read("steps", schedule.warmup.steps, {0});
    if (warmup.has("epochs") && warmup.has("steps")) {
      warmup.fail("steps", "either epochs or steps");
    }
    double from = 0;
    warmup.read("from", from, {0, 1e6});
    if (warmup.has("from")) schedule.warmup.from = from;
    warmup.finish();
  }
  if (const Node* node = reader.child("main")) {
    Reader main(*node, "schedule.main");
    main.read("name", schedule.name);
    main.read("to", schedule.to, {0, 1e6});
    main.read("milestones", schedule.milestones, {0, 1e9});
    main.read("step_epochs", schedule.step_epochs, {1e-9, 1e9});
    main.read("gamma", schedule.gamma, {0, 1});
    main.finish();
  }
  reader.read_choice("unit", schedule.unit, {"step", "epoch"});
  reader.finish();
}

std::vector<NamedConfig> read_methods(const Node& list) {
  std::vector<NamedConfig> methods;
  if (!list.is_array()) {
    throw Error(ErrorCode::kInvalid,
                cat("[recipe] ", list.where().text(),
                    ": method: expected [[method]] tables, got ", list.toml()));
  }
  for (const Node& item : list.array()) {
    Reader reader(item, "method");
    std::string name;
    reader.require("name");
    reader.read("name", name);
    Node::Table params;
    for (const auto& [key, node] : item.table()) {
      if (key != "name") params.emplace_back(key, node);
    }
    methods.push_back({name, Node(std::move(params), item.where())});
  }
  return methods;
}

void read_checkpoint(const Node& table, CheckpointConfig& checkpoint) {
  Reader reader(table, "checkpoint");
  reader.read("every_epochs", checkpoint.every_epochs, {1});
  reader.read("every_steps", checkpoint.every_steps, {0});
  reader.read("keep_last", checkpoint.keep_last, {1});
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
  reader.require("data");
  reader.require("model");
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
