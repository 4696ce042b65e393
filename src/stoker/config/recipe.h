#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "stoker/config/node.h"

namespace stoker::config {

/// A named part with parameters of its own: an augmentation, a method.
/// The room that owns the name reads and checks `params` (a table, or a single value as
/// in `normalize = "cifar10"`).
struct NamedConfig {
  std::string name;
  Node params;
  bool operator==(const NamedConfig&) const = default;
};

struct DataConfig {
  std::string
      train;  ///< Folder, tar, archive path inside a tar ("x.tar::train"), shard list.
  std::string val;
  std::optional<int64_t> workers;    ///< Loader threads; nothing: auto.
  int64_t queue_mib = 256;           ///< Bytes of finished batches that may wait.
  std::vector<NamedConfig> augment;  ///< For training.
  std::optional<std::vector<NamedConfig>>
      eval_augment;             ///< Default: the fixed ones of it.
  bool drop_last = false;       ///< Leave out the last, smaller batch of an epoch.
  int64_t channels = 3;         ///< 1 or 3.
  int64_t max_bad_samples = 0;  ///< Failure budget of one run.
  bool operator==(const DataConfig&) const = default;
};

struct ModelConfig {
  std::string name;
  std::optional<int64_t> classes;  ///< Default: as many as the data has.
  std::string weights;             ///< safetensors file to start from.
  Node params;                     ///< What the named model itself reads: stem, width ...
  bool operator==(const ModelConfig&) const = default;
};

struct TrainConfig {
  int64_t epochs = 10;
  int64_t batch = 128;                 ///< Global: micro-batch x accumulation x ranks.
  std::optional<int64_t> micro_batch;  ///< Nothing: auto, the largest that memory allows.
  std::string precision = "fp32";
  double label_smoothing = 0;
  bool channels_last = true;
  std::string convolution = "auto";  ///< "auto": Winograd's way where it is faster.
  std::optional<int64_t> threads;    ///< Compute threads; nothing: auto.
  int64_t eval_every = 1;  ///< Epochs between evaluations; the last is always evaluated.
  std::optional<int64_t> eval_batch;  ///< Nothing: auto, as the micro-batch.
  bool eval_flip = false;  ///< Mean of the logits of an image and its mirror image.
  int64_t eval_shift = 0;  ///< Pixels: also of two shifted images, half the weight.
  double clip_norm = 0;    ///< 0: no clipping.
  bool operator==(const TrainConfig&) const = default;
};

struct OptimizerConfig {
  std::string name = "sgd";
  double lr = 0.1;
  double momentum = 0.9;
  bool nesterov = false;
  double weight_decay = 5e-4;
  bool decay_norm_and_bias = false;   ///< Decay biases and norm parameters too.
  double norm_and_bias_lr_scale = 1;  ///< Their learning rate in units of `lr`.
  bool operator==(const OptimizerConfig&) const = default;
};

struct WarmupConfig {
  double epochs = 0;
  int64_t steps = 0;           ///< Instead of epochs.
  std::optional<double> from;  ///< Learning rate of the first update; default: lr / n.
  bool operator==(const WarmupConfig&) const = default;
};

struct ScheduleConfig {
  WarmupConfig warmup;
  std::string name = "cosine";
  double to = 0;                   ///< Final learning rate of cosine and linear.
  std::vector<double> milestones;  ///< multi_step: in epochs.
  double step_epochs = 30;         ///< step.
  double gamma = 0.1;              ///< step, multi_step.
  std::string unit = "step";       ///< "step" or "epoch": when the rate changes.
  bool operator==(const ScheduleConfig&) const = default;
};

struct CheckpointConfig {
  int64_t every_epochs = 1;
  int64_t every_steps = 0;
  int64_t keep_last = 2;
  bool keep_best = true;
  bool operator==(const CheckpointConfig&) const = default;
};

struct ReportConfig {
  bool html = true;
  bool tensorboard = true;
  bool operator==(const ReportConfig&) const = default;
};

struct TargetsConfig {
  std::optional<double> accuracy;
  bool operator==(const TargetsConfig&) const = default;
};

/// What a person writes, with the defaults filled in. See docs/recipe.md.
struct Recipe {
  std::filesystem::path file;  ///< Paths in the recipe are relative to its folder.
  uint64_t seed = 1;
  DataConfig data;
  ModelConfig model;
  TrainConfig train;
  OptimizerConfig optimizer;
  ScheduleConfig schedule;
  std::vector<NamedConfig> methods;
  CheckpointConfig checkpoint;
  ReportConfig report;
  TargetsConfig targets;
  bool operator==(const Recipe&) const = default;
};

/// Reads a recipe file, its `extends` chain and `--set a.b=value` overrides, and checks
/// all that does not need the data. Paths of data and weights become absolute: relative
/// to the folder of the file that says them, or to the working directory for an override.
/// Throws Error(kInvalid) with file, line and key.
Recipe load_recipe(const std::filesystem::path& file,
                   const std::vector<std::string>& overrides = {});

/// The recipe as TOML, every value written out: `parse_recipe(to_toml(r), file)` gives it
/// back.
std::string to_toml(const Recipe& recipe);

/// A recipe from memory, as a checkpoint keeps it; reads no other file, so `extends` is
/// refused.
Recipe parse_recipe(const std::string& toml, const std::filesystem::path& file,
                    const std::vector<std::string>& overrides = {});

}  // namespace stoker::config
