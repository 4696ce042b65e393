#include <limits>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/config/recipe.h"

namespace stoker::config {

namespace {
template <typename T>
Node or_auto(const std::optional<T>& value) {
  return value ? Node(*value, {}) : Node(std::string("auto"), {});
}

/// Collects `key = value` lines.
class Writer {
 public:
  void section(const char* name) { text_ += cat("\n[", name, "]\n"); }
  void key(const char* name, const Node::Value& value) {
    text_ += cat(name, " = ", Node(value, {}).toml(), "\n");
  }
  void key_or_auto(const char* name, const std::optional<int64_t>& value) {
    key(name, or_auto(value).value());
  }
  void raw(const std::string& text) { text_ += text; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void write_chain(Writer& out, const char* name, const std::vector<NamedConfig>& chain) {
  out.raw(cat(name, " = [\n"));
  for (const auto& [op, params] : chain) {
    out.raw(cat("  { ", toml_key(op), " = ", params.toml(), " },\n"));
  }
  out.raw("]\n");
}

void write_table(Writer& out, const Node& table) {
  if (!table.is_table()) return;
  for (const auto& [key, node] : table.table())
    out.raw(cat(toml_key(key), " = ", node.toml(), "\n"));
}

void write_data(Writer& out, const DataConfig& data) {
  out.section("data");
  out.key("train", data.train);
  out.key("val", data.val);
  out.key_or_auto("workers", data.workers);
  out.key("queue_mib", data.queue_mib);
  write_chain(out, "augment", data.augment);
  data.eval_augment ? write_chain(out, "eval_augment", *data.eval_augment)
                    : out.key("eval_augment", std::string("auto"));
  out.key("drop_last", data.drop_last);
  out.key("channels", data.channels);
  out.key("max_bad_samples", data.max_bad_samples);
}

void write_train(Writer& out, const TrainConfig& train) {
  out.section("train");
  out.key("epochs", train.epochs);
  out.key("batch", train.batch);
  out.key_or_auto("micro_batch", train.micro_batch);
  out.key("precision", train.precision);
  out.key("label_smoothing", train.label_smoothing);
  out.key("channels_last", train.channels_last);
  out.key("convolution", train.convolution);
  out.key_or_auto("threads", train.threads);
  out.key("eval_every", train.eval_every);
  out.key_or_auto("eval_batch", train.eval_batch);
  out.key("eval_flip", train.eval_flip);
  out.key("eval_shift", train.eval_shift);
  out.key("clip_norm", train.clip_norm);
}

void write_optimizer(Writer& out, const OptimizerConfig& optimizer) {
  out.section("optimizer");
  out.key("name", optimizer.name);
  out.key("lr", optimizer.lr);
  out.key("momentum", optimizer.momentum);
  out.key("nesterov", optimizer.nesterov);
  out.key("weight_decay", optimizer.weight_decay);
  out.key("decay_norm_and_bias", optimizer.decay_norm_and_bias);
  out.key("norm_and_bias_lr_scale", optimizer.norm_and_bias_lr_scale);
}

void write_schedule(Writer& out, const ScheduleConfig& schedule) {
  Node::Array milestones;
  for (const double milestone : schedule.milestones)
    milestones.emplace_back(milestone, Location{});
  out.section("schedule");
  const WarmupConfig& warmup = schedule.warmup;
  out.key("warmup", Node::Table{{"epochs", Node(warmup.epochs, {})},
                                {"steps", Node(warmup.steps, {})},
                                {"from", or_auto(warmup.from)}});
  out.key("main", Node::Table{{"name", Node(schedule.name, {})},
                              {"to", Node(schedule.to, {})},
                              {"milestones", Node(milestones, {})},
                              {"step_epochs", Node(schedule.step_epochs, {})},
                              {"gamma", Node(schedule.gamma, {})}});
  out.key("unit", schedule.unit);
}
}  // namespace

std::string to_toml(const Recipe& recipe) {
  if (recipe.seed > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    throw Error(
        ErrorCode::kInvalid,
        cat("[recipe] seed: expected an integer from 0 to 2^63 - 1, got ", recipe.seed));
  }
  Writer out;
  out.key("seed", static_cast<int64_t>(recipe.seed));
  write_data(out, recipe.data);
  out.section("model");
  out.key("name", recipe.model.name);
  out.key_or_auto("classes", recipe.model.classes);
  out.key("weights", recipe.model.weights);
  write_table(out, recipe.model.params);
  write_train(out, recipe.train);
  write_optimizer(out, recipe.optimizer);
  write_schedule(out, recipe.schedule);
  for (const auto& [name, params] : recipe.methods) {
    out.raw("\n[[method]]\n");
    out.key("name", name);
    write_table(out, params);
  }
  out.section("checkpoint");
  out.key("every_epochs", recipe.checkpoint.every_epochs);
  out.key("every_steps", recipe.checkpoint.every_steps);
  out.key("keep_last", recipe.checkpoint.keep_last);
  out.key("keep_best", recipe.checkpoint.keep_best);
  out.section("report");
  out.key("html", recipe.report.html);
  out.key("tensorboard", recipe.report.tensorboard);
  out.section("targets");
  if (recipe.targets.accuracy) out.key("accuracy", *recipe.targets.accuracy);
  return out.text();
}

}  // namespace stoker::config
