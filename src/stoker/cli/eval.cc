#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "stoker/base/error.h"
#include "stoker/base/log.h"
#include "stoker/base/strings.h"
#include "stoker/base/units.h"
#include "stoker/cli/commands.h"
#include "stoker/cli/json_text.h"
#include "stoker/cli/stop_signal.h"
#include "stoker/runtime/device.h"
#include "stoker/runtime/memory.h"
#include "stoker/train/evaluate.h"
#include "stoker/train/session.h"

namespace stoker::cli {

namespace {
struct EvalArguments {
  std::string checkpoint;
  std::string data;
  std::vector<std::string> overrides;
};

/// A person who names a run means its best checkpoint.
void note_other_than_best(const std::string& path, const std::filesystem::path& chosen,
                          const TrainingState& state) {
  const auto best = state.values.find("best_step");
  if (std::filesystem::equivalent(path, chosen) || best == state.values.end() ||
      best->second == cat(state.step)) {
    return;
  }
  log(LogLevel::kWarning,
      cat("[eval] ", path, ": the best checkpoint, of update ", best->second,
          ", is not there or not marked as best; this is the newest"));
}

int run_eval(const EvalArguments& arguments, const Console& console) {
  install_memory_counter();
  const std::atomic<int>& stop = catch_stop_signals();
  const auto checkpoint =
      CheckpointStore::find(arguments.checkpoint, /*prefer_best=*/true);
  const TrainingState state = CheckpointStore::load(checkpoint);
  note_other_than_best(arguments.checkpoint, checkpoint, state);
  const config::Recipe recipe = config::parse_recipe(
      state.plan_toml, checkpoint / "plan.toml", arguments.overrides);
  const std::string data = arguments.data.empty() ? recipe.data.val : arguments.data;
  if (data.empty()) {
    throw Error(ErrorCode::kInvalid,
                "[eval] the recipe names no data.val (hint: name the data with --data)");
  }
  const Machine machine = look_at_machine();
  set_compute_threads(recipe.train.threads.value_or(machine.cores));
  const PlannedData planned = open_for_evaluation(recipe, data, state.classes, {});
  const auto model = make_model({recipe.model.name, recipe.model.classes.value_or(0),
                                 recipe.data.channels, recipe.model.params,
                                 recipe.train.convolution == "auto"});
  copy_named_tensors(state.model, named_tensors(*model), checkpoint.string());
  const torch::Device device = pick_device();
  model->to(device);
  lay_out(*model, recipe.train.channels_last);
  model->eval();
  const ImageClassification task(recipe.train);
  const EvaluationResult result =
      evaluate(*model, task, planned, recipe, device, machine.cores, &stop);

  for (const auto& bad : result.bad_records) {
    log(LogLevel::kWarning, cat("[eval] ", bad.name, ": ", bad.reason, ", left out"));
  }
  if (console.json()) {
    console.line(
        to_text(nlohmann::ordered_json{{"checkpoint", checkpoint.string()},
                                       {"step", state.step},
                                       {"data", data},
                                       {"samples", result.samples},
                                       {"correct", result.correct},
                                       {"accuracy", result.accuracy()},
                                       {"loss", result.loss()},
                                       {"bad_samples", result.bad_records.size()},
                                       {"seconds", result.seconds}}));
    return 0;
  }
  console.line(cat("checkpoint  ", checkpoint.string(), " (update ", state.step, ")"));
  console.line(cat("data        ", data));
  console.line(cat("accuracy    ", fixed(100 * result.accuracy(), 2), " %  (",
                   format_count(result.correct), " of ", format_count(result.samples),
                   ")"));
  console.line(cat("loss        ", fixed(result.loss(), 4)));
  console.line(cat("time        ", format_duration(result.seconds)));
  return 0;
}
}  // namespace

void add_eval(CLI::App& app, Console& console, int& status) {
  auto* command = app.add_subcommand("eval", "Evaluate a checkpoint");
  auto arguments = std::make_shared<EvalArguments>();
  command
      ->add_option("checkpoint", arguments->checkpoint,
                   "A run's folder (its best checkpoint) or one checkpoint")
      ->required();
  command->add_option("--data", arguments->data,
                      "Data set; default: the recipe's data.val");
  command
      ->add_option("--set", arguments->overrides,
                   "Override a value of the recipe: a.b=value")
      ->take_all()
      ->allow_extra_args(false);
  command->footer(
      "Example: stoker eval runs/quickstart-001 --data examples/data/cifar10/test");
  command->callback(
      [arguments, &console, &status] { status = run_eval(*arguments, console); });
}

}  // namespace stoker::cli
