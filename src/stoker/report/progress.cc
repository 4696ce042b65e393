#include "stoker/report/progress.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "stoker/base/clock.h"
#include "stoker/base/strings.h"
#include "stoker/base/units.h"
#include "stoker/report/detail/series.h"
#include "stoker/report/detail/status_line.h"
#include "stoker/report/detail/summary.h"
#include "stoker/report/detail/time_left.h"
#include "stoker/report/verdict.h"

namespace stoker {

namespace {
constexpr double kSecondsBetweenDrawings = 0.1;
constexpr double kSecondsBetweenLines = 10;
}  // namespace

class ProgressPrinter::State {
 public:
  State(Sink sink, ProgressStyle style, Clock clock)
      : sink_(std::move(sink)),
        style_(style),
        clock_(std::move(clock)),
        paint_(style.terminal && style.color) {}

  void on(const Event& event) {
    if (style_.json) return;
    std::visit([this](const auto& value) { hear(value); }, event);
  }

 private:
  void hear(const RunStarted& start) {
    start_ = start;
    told_at_ = clock_();
    if (!style_.quiet) line(detail::start_text(start, paint_), "");
  }

  void hear(const StepDone& step) {
    count(step);
    if (style_.quiet) return;
    const double now = clock_();
    const bool last = step.step_in_epoch == start_.steps_per_epoch;
    if (style_.terminal) {
      if (!last && now - told_at_ < kSecondsBetweenDrawings) return;
      draw(detail::status_line(status(step), style_.columns));
    } else {
      if (last || now - told_at_ < kSecondsBetweenLines) return;
      line(detail::status_record(status(step)));
    }
    told_at_ = now;
  }

  void hear(const EvaluationDone& evaluation) {
    time_left_.add_evaluation(evaluation.seconds);
  }

  void hear(const EpochDone& epoch) {
    time_left_.end_epoch();
    told_at_ = clock_();
    if (style_.quiet) return;
    const bool best = epoch.evaluation && epoch.evaluation->best;
    const auto room =
        style_.terminal ? static_cast<size_t>(std::max(1, style_.columns)) : SIZE_MAX;
    const std::string text = detail::epoch_line(epoch, start_.epochs, room);
    line(best ? paint_.good(text) : text);
  }

  void hear(const CheckpointSaved& checkpoint) {
    time_left_.add_saving(checkpoint.seconds);
    if (!style_.verbose || style_.quiet) return;
    line(paint_.dim(cat("saved ", checkpoint.path, ", ", format_bytes(checkpoint.bytes),
                        ", ", format_duration(checkpoint.seconds))));
  }

  void hear(const Warned& warned) {
    line(paint_.warning(cat("warning: ", warned.message)));
  }

  void hear(const RunFinished& end) {
    const Verdict verdict = judge(training_, end.time, windows_.shares());
    line(cat(style_.quiet ? "" : "\n",
             detail::end_text(end, verdict, paint_, style_.verbose)),
         "");
  }

  void count(const StepDone& step) {
    const double seconds = step.time.total();
    training_ += step.time;
    windows_.add(step.time);
    time_left_.add_step(seconds);
    samples_.add(static_cast<double>(step.samples));
    seconds_.add(seconds);
    busy_.add(step.time.busy());
    if (std::isfinite(step.loss)) loss_.add(step.loss);
    if (step.samples > 0) {
      time_left_.guess_evaluation(step.time.forward / static_cast<double>(step.samples) *
                                  static_cast<double>(start_.val_samples));
    }
  }

  detail::Status status(const StepDone& step) const {
    const int64_t each = std::max<int64_t>(1, start_.steps_per_epoch);
    const double seconds = std::max(1e-9, seconds_.value());
    detail::Status status;
    status.epoch = step.epoch + 1;
    status.epochs = start_.epochs;
    status.done = static_cast<double>(step.step_in_epoch) / static_cast<double>(each);
    status.samples_per_second = samples_.value() / seconds;
    status.loss = loss_.empty() ? std::nan("") : loss_.value();
    status.busy = busy_.value() / seconds;
    status.evaluating = step.step_in_epoch == each && start_.val_samples > 0;
    const int64_t epochs_left = start_.epochs - step.epoch;
    status.left_seconds =
        time_left_.seconds(epochs_left * each - step.step_in_epoch, epochs_left);
    return status;
  }

  /// Draws over the progress line.
  void draw(const std::string& text) {
    std::string out = "\r" + text;
    if (text.size() < drawn_) out.append(drawn_ - text.size(), ' ');
    drawn_ = text.size();
    sink_(out);
  }

  /// Writes text that stays, in place of the progress line.
  void line(const std::string& text, const char* end = "\n") {
    std::string out;
    if (drawn_ > 0) out = cat("\r", std::string(drawn_, ' '), "\r");
    drawn_ = 0;
    sink_(cat(out, text, end));
  }

  Sink sink_;
  ProgressStyle style_;
  Clock clock_;
  detail::Paint paint_;
  RunStarted start_;
  TimeSplit training_;
  detail::BusyWindows windows_;
  detail::TimeLeft time_left_;
  detail::SmoothMean samples_;
  detail::SmoothMean seconds_;
  detail::SmoothMean busy_;
  detail::SmoothMean loss_;
  double told_at_ = 0;
  size_t drawn_ = 0;
};

ProgressPrinter::ProgressPrinter(Sink sink, ProgressStyle style)
    : ProgressPrinter(std::move(sink), style, now_seconds) {}
ProgressPrinter::ProgressPrinter(Sink sink, ProgressStyle style, Clock clock)
    : state_(std::make_unique<State>(std::move(sink), style, std::move(clock))) {}
ProgressPrinter::~ProgressPrinter() = default;
void ProgressPrinter::on(const Event& event) { state_->on(event); }

}  // namespace stoker
