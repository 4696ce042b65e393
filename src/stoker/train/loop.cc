#include "stoker/train/loop.h"

#include <torch/version.h>

#include <algorithm>
#include <cmath>

#include "stoker/base/clock.h"
#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/base/units.h"
#include "stoker/runtime/device.h"
#include "stoker/runtime/memory.h"
#include "stoker/train/evaluate.h"
#include "stoker/train/progress_state.h"
#include "stoker/train/session.h"
#include "stoker/train/step.h"
#include "stoker/train/task.h"

namespace stoker {

namespace {
/// Updates in a row without a finite gradient after which the training gives up: those of
/// an epoch, between these.
constexpr int64_t kMinSkippedInARow = 3;
constexpr int64_t kMaxSkippedInARow = 10;

std::shared_ptr<const Task> recipe_task(const config::Recipe& recipe) {
  return std::make_shared<ImageClassification>(recipe.train);
}

class Training {
 public:
  Training(const Plan& plan, const Events& events, const RunOptions& options)
      : plan_(plan),
        events_(events),
        options_(options),
        session_(plan, options.model),
        task_(options.task ? options.task : recipe_task(plan.recipe)),
        step_(plan, session_, *task_),
        store_(options.folder / "checkpoints", plan.recipe.checkpoint.keep_last,
               plan.recipe.checkpoint.keep_best) {
    if (options.resume) {
      check_resume(plan, *options.resume);
      session_.restore(*options.resume);
      progress_ = ProgressState::from(*options.resume);
    }
  }

  RunFinished run() {
    tell_start();
    // A run that was stopped between the last update of an epoch and its evaluation.
    if (epoch_is_whole()) finish_epoch();
    loader_ = std::make_unique<data::Loader>(plan_.train.source, plan_.train.program,
                                             loader_options());
    UpdateFeed feed(*loader_);
    Stopwatch data_watch;
    while (!stopped() && feed.begin_update()) {
      train_one_update(feed, data_watch.seconds());
      if (epoch_is_whole()) {
        finish_epoch();
      } else if (checkpoint_due_by_step()) {
        save(/*interrupted=*/false);
      }
      data_watch.restart();
    }
    return finish();
  }

 private:
  bool epoch_is_whole() const {
    return progress_.step_in_epoch == plan_.length.steps_per_epoch;
  }
  bool stopped() const { return options_.stop != nullptr && *options_.stop != 0; }

  data::LoaderOptions loader_options() const {
    data::LoaderOptions options;
    options.order = {plan_.train.num_records(), plan_.recipe.seed, /*shuffle=*/true};
    options.batch = plan_.micro_batch;
    options.global_batch = plan_.recipe.train.batch;
    options.drop_last = plan_.recipe.data.drop_last;
    options.first_epoch = progress_.epoch;
    options.num_epochs = plan_.length.epochs - progress_.epoch;
    options.first_global_batch = progress_.step_in_epoch;
    options.workers = plan_.recipe.data.workers;
    options.max_workers = plan_.max_workers;
    options.queue_bytes = plan_.recipe.data.queue_mib << 20;
    options.max_bad_samples = plan_.recipe.data.max_bad_samples;
    return options;
  }

  void train_one_update(UpdateFeed& feed, double waited) {
    const Stopwatch watch;
    const int64_t expected = data::batch_range(plan_.train.num_records(),
                                               plan_.recipe.train.batch, feed.update())
                                 .size();
    const int64_t updates_done = progress_.step - progress_.skipped;
    const double lr = learning_rate(plan_.recipe.schedule, plan_.recipe.optimizer.lr,
                                    updates_done, plan_.length);
    StepResult result = step_.run(feed, expected, lr);
    result.time.data_wait += waited;
    count(feed, result);
    if (result.skipped) {
      note_skipped(result);
    } else {
      for (const auto& method : session_.methods()) {
        method->after_update(updates_done + 1, plan_.length.total_steps());
      }
    }
    result.time.other += std::max(0.0, watch.seconds() + waited - result.time.total());
    epoch_time_ += result.time;
    epoch_lr_ = lr;
    events_.tell(StepDone{
        progress_.step, progress_.epoch, progress_.step_in_epoch, result.samples,
        result.loss_sum / static_cast<double>(std::max<int64_t>(1, result.samples)), lr,
        result.gradient_norm, result.time});
  }

  void count(const UpdateFeed& feed, const StepResult& result) {
    ++progress_.step;
    progress_.epoch = feed.epoch();
    progress_.step_in_epoch = feed.update() + 1;
    progress_.epoch_samples += result.samples;
    progress_.epoch_correct += result.correct;
    progress_.epoch_loss_sum += result.loss_sum;
    samples_ += result.samples;
  }

  void note_skipped(const StepResult& result) {
    ++progress_.skipped;
    skipped_in_a_row_ = skipped_at_ + 1 == progress_.step ? skipped_in_a_row_ + 1 : 1;
    skipped_at_ = progress_.step;
    const std::string what = cat(
        "[train] epoch ", progress_.epoch + 1, ", update ", progress_.step_in_epoch,
        ": the gradient of '", result.first_nonfinite, "' is not finite (loss ",
        result.loss_sum / static_cast<double>(std::max<int64_t>(1, result.samples)), ")");
    if (skipped_in_a_row_ >=
        std::clamp(plan_.length.steps_per_epoch, kMinSkippedInARow, kMaxSkippedInARow)) {
      throw Error(
          ErrorCode::kNumeric,
          cat(what, ", ", skipped_in_a_row_,
              " updates in a row; the weights are those of the last finite update "
              "(hint: a lower optimizer.lr, a longer warm-up or train.clip_norm)"));
    }
    events_.tell(
        Warned{cat(what, "; the update was skipped, ", progress_.skipped, " so far")});
  }

  bool checkpoint_due_by_step() const {
    const int64_t every = plan_.recipe.checkpoint.every_steps;
    return every > 0 && progress_.step % every == 0;
  }

  /// Evaluates and saves; when it is stopped on the way, the epoch stays as it was, so
  /// that a resumed run finishes it.
  void finish_epoch() {
    if (stopped()) return;
    peak_activations_ = std::max(peak_activations_, memory_count().peak_bytes);
    EpochDone event = describe_epoch(progress_.epoch + 1);
    if (!with_published_weights([&] { return evaluate_and_save(event); })) return;
    total_ += epoch_time_;
    epoch_time_ = {};
    samples_before_epoch_ = samples_;
    note_loader_bytes();
    reset_memory_peak();
  }

  /// False when it was stopped before the evaluation was done.
  bool evaluate_and_save(EpochDone& event) {
    const int64_t done = event.epoch;
    const bool last = done == plan_.length.epochs;
    if (plan_.val.source && (last || done % plan_.recipe.train.eval_every == 0)) {
      event.evaluation = run_evaluation(done);
      if (!event.evaluation) return false;
    }
    event.rss = resident_bytes();
    events_.tell(event);
    progress_.start_epoch(done);
    const bool best = event.evaluation && event.evaluation->best;
    if (last || done % plan_.recipe.checkpoint.every_epochs == 0 ||
        (best && plan_.recipe.checkpoint.keep_best)) {
      save_published(best, /*interrupted=*/false);
    }
    return true;
  }

  template <typename Work>
  bool with_published_weights(Work work) {
    session_.use_published_weights();
    try {
      const bool result = work();
      session_.use_training_weights();
      return result;
    } catch (...) {
      session_.use_training_weights();
      throw;
    }
  }

  EpochDone describe_epoch(int64_t done) const {
    EpochDone event;
    event.epoch = done;
    event.step = progress_.step;
    event.samples = progress_.epoch_samples;
    const auto samples =
        static_cast<double>(std::max<int64_t>(1, progress_.epoch_samples));
    event.loss = progress_.epoch_loss_sum / samples;
    event.accuracy = static_cast<double>(progress_.epoch_correct) / samples;
    event.learning_rate = epoch_lr_;
    event.seconds = epoch_time_.total();
    event.samples_per_second = static_cast<double>(samples_ - samples_before_epoch_) /
                               std::max(1e-9, event.seconds);
    event.busy = epoch_time_.busy() / std::max(1e-9, event.seconds);
    event.time = epoch_time_;
    return event;
  }

  /// Nothing when it was stopped.
  std::optional<EvaluationDone> run_evaluation(int64_t done) {
    const EvaluationResult result =
        evaluate(session_.model(), *task_, plan_.val, plan_.recipe, plan_.device,
                 plan_.max_workers, options_.stop);
    if (stopped()) return std::nullopt;
    total_.evaluation += result.seconds;
    add_bad_samples(result.bad_records);
    EvaluationDone event{done,          progress_.step,    result.samples, result.correct,
                         result.loss(), result.accuracy(), result.seconds, false};
    event.best = std::isfinite(event.loss) &&
                 (!progress_.best || event.accuracy > progress_.best->accuracy);
    if (event.best) progress_.best = event;
    last_ = event;
    events_.tell(event);
    return event;
  }

  void save(bool interrupted) {
    with_published_weights([&] {
      save_published(/*best=*/false, interrupted);
      return true;
    });
  }

  void save_published(bool best, bool interrupted) {
    const Stopwatch watch;
    TrainingState state;
    progress_.write(state);
    state.plan_toml = config::to_toml(plan_.recipe);
    state.classes = plan_.train.source->describe().classes;
    session_.capture(state);
    const SavedCheckpoint saved = store_.save(state, best);
    total_.checkpoint += watch.seconds();
    events_.tell(CheckpointSaved{saved.path, progress_.step, saved.bytes, watch.seconds(),
                                 best, interrupted});
    last_checkpoint_step_ = progress_.step;
  }

  void add_bad_samples(const std::vector<data::BadRecord>& records) {
    for (const auto& record : records) {
      const bool known = std::any_of(
          bad_samples_.begin(), bad_samples_.end(),
          [&](const BadSample& sample) { return sample.name == record.name; });
      if (!known) bad_samples_.push_back({record.name, record.reason});
    }
  }

  void tell_start() {
    RunStarted start;
    start.name = plan_.recipe.file.stem();
    start.folder = options_.folder;
    start.device = describe_device(plan_.device);
    start.model = plan_.recipe.model.name;
    start.parameters = count_parameters(session_.model());
    start.classes = plan_.classes;
    start.train_samples = plan_.train.num_records();
    start.val_samples = plan_.val.source ? plan_.val.num_records() : 0;
    start.epochs = plan_.length.epochs;
    start.steps_per_epoch = plan_.length.steps_per_epoch;
    start.first_step = progress_.step;
    start.batch_equation = plan_.batch_equation;
    start.plan_toml = config::to_toml(plan_.recipe);
    start.notes = plan_.notes;
    start.environment = {{"LibTorch", TORCH_VERSION}};
    start.target_accuracy = plan_.recipe.targets.accuracy;
    events_.tell(start);
    reset_memory_peak();
  }

  void note_loader_bytes() {
    if (loader_)
      loader_bytes_ = std::max(loader_bytes_, loader_->stats().peak_bytes_held);
  }

  RunFinished finish() {
    RunFinished end;
    end.completed = progress_.epoch >= plan_.length.epochs;
    total_ += epoch_time_;
    if (!end.completed) {
      end.reason = "interrupted";
      end.resume_command = options_.resume_command;
      if (last_checkpoint_step_ != progress_.step && progress_.step > 0)
        save(/*interrupted=*/true);
    }
    const double training = total_.total() - total_.evaluation - total_.checkpoint;
    end.samples_per_second = static_cast<double>(samples_) / std::max(1e-9, training);
    end.busy = total_.busy() / std::max(1e-9, training);
    end.memory = memory();
    end.step = progress_.step;
    end.last = last_;
    end.best = progress_.best;
    if (loader_) add_bad_samples(loader_->bad_records());
    end.bad_samples = bad_samples_;
    end.target_accuracy = plan_.recipe.targets.accuracy;
    end.outputs = options_.outputs;
    if (const auto newest = store_.newest())
      end.outputs.emplace_back("checkpoint", *newest);
    if (const auto best = store_.best())
      end.outputs.emplace_back("best checkpoint", *best);
    end.wall_seconds = wall_.seconds();
    end.time = total_;
    end.time.other += std::max(0.0, end.wall_seconds - total_.total());
    events_.tell(end);
    return end;
  }

  MemorySplit memory() {
    note_loader_bytes();
    MemorySplit memory;
    memory.parameters = session_.parameter_bytes();
    memory.gradients = session_.gradient_bytes();
    memory.optimizer = session_.optimizer_bytes();
    const int64_t peak = std::max(peak_activations_, memory_count().peak_bytes);
    memory.activations = std::max<int64_t>(
        0, peak - memory.parameters - memory.gradients - memory.optimizer);
    memory.loader = loader_bytes_;
    memory.peak_rss = peak_resident_bytes();
    return memory;
  }

  const Plan& plan_;
  const Events& events_;
  const RunOptions& options_;
  Stopwatch wall_;
  Session session_;
  std::shared_ptr<const Task> task_;
  TrainStep step_;
  CheckpointStore store_;
  std::unique_ptr<data::Loader> loader_;
  ProgressState progress_;
  TimeSplit total_;
  TimeSplit epoch_time_;
  double epoch_lr_ = 0;
  int64_t samples_ = 0;
  int64_t samples_before_epoch_ = 0;
  int64_t skipped_at_ = -1;
  int64_t skipped_in_a_row_ = 0;
  int64_t peak_activations_ = 0;
  int64_t loader_bytes_ = 0;
  int64_t last_checkpoint_step_ = -1;
  std::optional<EvaluationDone> last_;
  std::vector<BadSample> bad_samples_;
};
}  // namespace

RunFinished train(const Plan& plan, const Events& events, const RunOptions& options) {
  return Training(plan, events, options).run();
}

}  // namespace stoker
