#include <CLI/CLI.hpp>
#include <cstdlib>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/base/units.h"
#include "stoker/cli/commands.h"
#include "stoker/cli/json_text.h"
#include "stoker/cli/run_folder.h"
#include "stoker/cli/run_lock.h"
#include "stoker/cli/stop_signal.h"
#include "stoker/report/html.h"
#include "stoker/report/metrics.h"
#include "stoker/report/progress.h"
#include "stoker/report/tensorboard.h"
#include "stoker/runtime/memory.h"
#include "stoker/train/loop.h"
#include "stoker/train/session.h"

namespace stoker::cli {
namespace fs = std::filesystem;

namespace {
struct TrainArguments {
  std::string recipe;
  std::vector<std::string> overrides;
  std::string out;
  std::string resume;
  bool dry_run = false;
  bool automatic() const { return resume == "auto"; }
};

/// The checkpoint that --resume means, or nothing when there is none yet.
std::optional<fs::path> checkpoint_to_resume(const TrainArguments& arguments,
                                             const std::string& name) {
  if (arguments.resume.empty()) return std::nullopt;
  if (!arguments.automatic()) {
    return CheckpointStore::find(arguments.resume, /*prefer_best=*/false);
  }
  if (!arguments.out.empty()) {
    return CheckpointStore(fs::path(arguments.out) / "checkpoints", 1, false).newest();
  }
  const auto run = newest_run(name);
  if (!run) return std::nullopt;
  return CheckpointStore(*run / "checkpoints", 1, false).newest();
}

/// A checkpoint lies in <run>/checkpoints/step-N: a resumed run goes on in its own
/// folder.
fs::path run_of(const fs::path& checkpoint) {
  return fs::absolute(checkpoint).parent_path().parent_path();
}

fs::path folder_of(const TrainArguments& arguments, const std::string& name,
                   const std::optional<fs::path>& checkpoint, NewFolders& folders) {
  if (checkpoint && (arguments.out.empty() || arguments.automatic())) {
    return run_of(*checkpoint);
  }
  if (arguments.out.empty()) return make_numbered_folder(name, folders);
  folders.make(arguments.out);
  return arguments.out;
}

/// The state to go on from. A restart without a person goes back from a damaged
/// checkpoint to the one before it.
TrainingState load_state(const TrainArguments& arguments, const fs::path& checkpoint,
                         const Console& console) {
  auto earlier = CheckpointStore(checkpoint.parent_path(), 1, false).list();
  for (fs::path path = checkpoint;;) {
    try {
      return CheckpointStore::load(path);
    } catch (const Error& problem) {
      std::erase_if(earlier, [&](const fs::path& each) { return !(each < path); });
      if (!arguments.automatic() || problem.code() != ErrorCode::kData ||
          earlier.empty()) {
        throw;
      }
      path = earlier.back();
      console.error(cat(problem.what(), "; going on from ", path.string()));
    }
  }
}

/// An empty value is a variable that was not set, not a wish for the default.
std::function<std::string(const std::string&)> not_empty() {
  return [](const std::string& value) {
    return value.empty() ? std::string("expected a value, got an empty one") : "";
  };
}

std::string quoted(const std::string& text) {
  const bool plain = text.find_first_not_of(
                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789_-+=./:,@%") == std::string::npos;
  if (plain && !text.empty()) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string resume_command(const TrainArguments& arguments, const fs::path& folder) {
  std::string command = cat("stoker train ", quoted(arguments.recipe));
  for (const auto& item : arguments.overrides) command += cat(" --set ", quoted(item));
  return cat(command, " --resume ", quoted(folder.string()));
}

/// From its start on a run leaves its traces: the plan, and the folder.
class KeepFolder : public Listener {
 public:
  KeepFolder(fs::path folder, NewFolders& folders)
      : folder_(std::move(folder)), folders_(folders) {}
  void on(const Event& event) override {
    const auto* start = std::get_if<RunStarted>(&event);
    if (start == nullptr) return;
    folders_.keep();
    write_file_atomically(folder_ / "plan.toml", start->plan_toml);
  }

 private:
  fs::path folder_;
  NewFolders& folders_;
};

/// What a training can do without: a full disk costs the report, not the training.
class BestEffort : public Listener {
 public:
  BestEffort(std::shared_ptr<Listener> inner, const Console& console)
      : inner_(std::move(inner)), console_(console) {}
  void on(const Event& event) override {
    try {
      inner_->on(event);
    } catch (const Error& problem) {
      if (!warned_) console_.error(cat(problem.what(), "; the training goes on"));
      warned_ = true;
    }
  }

 private:
  std::shared_ptr<Listener> inner_;
  const Console& console_;
  bool warned_ = false;
};

void add_listeners(Events& events, RunOptions& run, const Plan& plan,
                   const Console& console) {
  ProgressStyle style;
  style.terminal = console.is_terminal() && !console.json();
  const char* no_color = std::getenv("NO_COLOR");
  style.color = style.terminal && (no_color == nullptr || *no_color == '\0');
  style.columns = console.columns();
  style.json = console.json();
  style.quiet = console.quiet();
  style.verbose = console.verbose();
  events.add(std::make_shared<ProgressPrinter>(
      [&console](const std::string& text) { console.write(text); }, style));
  const auto add = [&](std::shared_ptr<Listener> listener) {
    events.add(std::make_shared<BestEffort>(std::move(listener), console));
  };
  add(std::make_shared<MetricsWriter>(run.folder));
  run.outputs.emplace_back("metrics", run.folder / "metrics.jsonl");
  if (plan.recipe.report.tensorboard) {
    add(std::make_shared<TensorBoardWriter>(run.folder / "tensorboard"));
    run.outputs.emplace_back("TensorBoard", run.folder / "tensorboard");
  }
  if (plan.recipe.report.html) {
    add(std::make_shared<HtmlReport>(run.folder));
    run.outputs.emplace_back("report", run.folder / "report.html");
  }
}

nlohmann::ordered_json evaluation_json(const std::optional<EvaluationDone>& evaluation) {
  if (!evaluation) return nullptr;
  return {{"epoch", evaluation->epoch},       {"step", evaluation->step},
          {"samples", evaluation->samples},   {"correct", evaluation->correct},
          {"accuracy", evaluation->accuracy}, {"loss", evaluation->loss}};
}

nlohmann::ordered_json summary(const RunFinished& end, const fs::path& folder) {
  nlohmann::ordered_json json{{"completed", end.completed},
                              {"folder", folder.string()},
                              {"step", end.step},
                              {"wall_seconds", end.wall_seconds},
                              {"samples_per_second", end.samples_per_second},
                              {"busy", end.busy},
                              {"last", evaluation_json(end.last)},
                              {"best", evaluation_json(end.best)},
                              {"peak_rss_bytes", end.memory.peak_rss},
                              {"bad_samples", end.bad_samples.size()},
                              {"bad", nlohmann::ordered_json::array()}};
  for (const auto& [bad, reason] : end.bad_samples) {
    json["bad"].push_back({{"name", bad}, {"reason", reason}});
  }
  if (!end.completed) json["reason"] = end.reason;
  if (!end.resume_command.empty()) json["resume_command"] = end.resume_command;
  for (const auto& [what, path] : end.outputs) json["outputs"][what] = path;
  return json;
}

int run_train(const TrainArguments& arguments, const Console& console) {
  install_memory_counter();
  const std::atomic<int>& stop = catch_stop_signals();
  outlive_lost_output();
  const config::Recipe recipe =
      config::load_recipe(arguments.recipe, arguments.overrides);
  const std::string name = recipe.file.stem();
  const auto checkpoint = checkpoint_to_resume(arguments, name);

  PlanOptions options;
  if (!console.quiet() && !console.json()) {
    options.on_listing = [&console](int64_t entries) {
      console.line(cat("  listing the data: ", format_count(entries), " files so far"));
    };
  }
  if (arguments.dry_run) {
    const Plan plan = make_plan(recipe, options);
    const Session session(plan);  // What only the model and the optimizer know.
    console.write(config::to_toml(plan.recipe));
    return 0;
  }

  RunOptions run;
  NewFolders folders;
  run.folder = fs::absolute(folder_of(arguments, name, checkpoint, folders));
  run.folder = run.folder.lexically_normal();
  const RunLock lock(run.folder);
  if (!checkpoint || run_of(*checkpoint).lexically_normal() != run.folder) {
    if (!arguments.automatic()) check_unused(run.folder);
  }
  run.stop = &stop;
  run.resume_command = resume_command(arguments, run.folder);
  options.cache_folder = (run.folder / "cache").string();
  const Plan plan = make_plan(recipe, options);
  if (checkpoint) run.resume = load_state(arguments, *checkpoint, console);

  Events events;
  events.add(std::make_shared<KeepFolder>(run.folder, folders));
  add_listeners(events, run, plan, console);
  const RunFinished end = train(plan, events, run);
  if (console.json()) console.line(to_text(summary(end, run.folder)));
  return end.completed ? 0 : 128 + stop.load();
}
}  // namespace

void add_train(CLI::App& app, Console& console, int& status) {
  auto* command = app.add_subcommand("train", "Train by a recipe");
  auto arguments = std::make_shared<TrainArguments>();
  command->add_option("recipe", arguments->recipe, "Recipe file (TOML)")->required();
  command
      ->add_option("--set", arguments->overrides,
                   "Override a value of the recipe: a.b=value")
      ->take_all()
      ->allow_extra_args(false);
  command
      ->add_option("--out", arguments->out,
                   "Folder of the run; default: runs/<recipe>-NNN")
      ->check(not_empty());
  command
      ->add_option("--resume", arguments->resume,
                   "Go on: 'auto' (the newest run of this recipe, or a new one), a run's "
                   "folder or a checkpoint")
      ->check(not_empty());
  command->add_flag("--dry-run", arguments->dry_run,
                    "Check everything, print the plan and stop");
  command->footer(
      "Examples:\n"
      "  stoker train recipes/quickstart.toml\n"
      "  stoker train recipes/cifar10_resnet18.toml --set train.epochs=2 --out "
      "runs/short\n"
      "  stoker train recipes/quickstart.toml --resume auto");
  command->callback(
      [arguments, &console, &status] { status = run_train(*arguments, console); });
}

}  // namespace stoker::cli
