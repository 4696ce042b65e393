#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace stoker {

/// Seconds of a stretch of training by what they were spent on; the parts sum to its wall
/// time.
struct TimeSplit {
  double data_wait = 0;
  double copy = 0;
  double forward = 0;
  double backward = 0;
  double optimizer = 0;
  double evaluation = 0;
  double checkpoint = 0;
  double other = 0;
  double total() const {
    return data_wait + copy + forward + backward + optimizer + evaluation + checkpoint +
           other;
  }
  /// Seconds in which the device computed for the training.
  double busy() const { return copy + forward + backward + optimizer; }
  TimeSplit& operator+=(const TimeSplit& more);
};

/// Bytes at the peak, by kind.
struct MemorySplit {
  int64_t parameters = 0;
  int64_t gradients = 0;
  int64_t optimizer = 0;
  int64_t activations = 0;
  int64_t loader = 0;
  int64_t peak_rss = 0;  ///< Of the whole process, as the system counts it.
};

struct RunStarted {
  std::string name;  ///< The recipe's stem.
  std::string folder;
  std::string device;  ///< "CPU, Intel Xeon ..., 2 threads".
  std::string model;
  int64_t parameters = 0;
  int64_t classes = 0;
  int64_t train_samples = 0;
  int64_t val_samples = 0;
  int64_t epochs = 0;
  int64_t steps_per_epoch = 0;
  int64_t first_step = 0;      ///< Above 0 when resumed.
  std::string batch_equation;  ///< "256 = micro-batch 64 x accumulation 4 x ranks 1".
  std::string plan_toml;
  std::vector<std::string> notes;  ///< What was resolved or left out, for the person.
  std::vector<std::pair<std::string, std::string>>
      environment;  ///< Versions, host: what -> value.
  std::optional<double> target_accuracy;
};

/// One optimizer update.
struct StepDone {
  int64_t step = 0;           ///< Updates so far, this one included.
  int64_t epoch = 0;          ///< From 0.
  int64_t step_in_epoch = 0;  ///< From 1.
  int64_t samples = 0;
  double loss = 0;  ///< Mean over the samples of the step.
  double learning_rate = 0;
  double gradient_norm = 0;
  TimeSplit time;
};

struct EvaluationDone {
  int64_t epoch = 0;  ///< Epochs completed.
  int64_t step = 0;
  int64_t samples = 0;
  int64_t correct = 0;
  double loss = 0;
  double accuracy = 0;  ///< correct / samples.
  double seconds = 0;
  bool best = false;
};

struct EpochDone {
  int64_t epoch = 0;  ///< Epochs completed: 1 after the first.
  int64_t step = 0;
  int64_t samples = 0;
  double loss = 0;      ///< Mean over samples.
  double accuracy = 0;  ///< On the augmented training samples.
  double learning_rate = 0;
  double samples_per_second = 0;  ///< Training only, evaluation and checkpoint excluded.
  double busy = 0;                ///< 0..1 of the training time.
  double seconds = 0;
  int64_t rss = 0;
  std::optional<EvaluationDone> evaluation;
  TimeSplit time;
};

struct CheckpointSaved {
  std::string path;
  int64_t step = 0;
  int64_t bytes = 0;
  double seconds = 0;
  bool best = false;
  bool interrupted = false;  ///< Saved only because the run was stopped.
};

struct BadSample {
  std::string name;  ///< Path, or archive::member.
  std::string reason;
};

struct Warned {
  std::string message;
};

struct RunFinished {
  bool completed = true;  ///< False when it was interrupted or failed.
  std::string reason;     ///< Of an interruption or failure.
  std::string resume_command;
  double wall_seconds = 0;
  TimeSplit time;
  MemorySplit memory;
  int64_t step = 0;
  double samples_per_second = 0;
  double busy = 0;
  std::optional<EvaluationDone> last;
  std::optional<EvaluationDone> best;
  std::vector<BadSample> bad_samples;
  std::optional<double> target_accuracy;
  std::vector<std::pair<std::string, std::string>> outputs;  ///< What -> path.
};

using Event = std::variant<RunStarted, StepDone, EpochDone, EvaluationDone,
                           CheckpointSaved, Warned, RunFinished>;

/// Hears what the training tells. Called on the training thread, in order.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void on(const Event& event) = 0;
};

/// The listeners of one run.
class Events {
 public:
  void add(std::shared_ptr<Listener> listener) {
    listeners_.push_back(std::move(listener));
  }
  void tell(const Event& event) const {
    for (const auto& listener : listeners_) listener->on(event);
  }

 private:
  std::vector<std::shared_ptr<Listener>> listeners_;
};

}  // namespace stoker
