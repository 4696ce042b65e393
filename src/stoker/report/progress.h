#pragma once

#include <functional>
#include <memory>
#include <string>

#include "stoker/events/events.h"

namespace stoker {

/// How the progress of a training is told to a person.
struct ProgressStyle {
  bool terminal = false;  ///< One line drawn again and again; else plain lines.
  bool color = false;     ///< Escape codes for colours; only on a terminal.
  int columns = 80;       ///< Of the terminal.
  bool json = false;      ///< A program reads the output: nothing is written.
  bool quiet = false;     ///< Only warnings and the result.
  bool verbose = false;   ///< Also checkpoints and every bad sample.
};

/// Tells a person how the training goes: what runs, the progress with the time left, a
/// line an epoch, and at the end where time and memory went.
///
/// On a terminal the progress line is drawn at most 10 times a second; elsewhere at most
/// one plain line comes every 10 seconds beside the line of each epoch. Text goes to
/// `sink` as it is, with its line ends.
class ProgressPrinter : public Listener {
 public:
  using Sink = std::function<void(const std::string&)>;
  /// Seconds on a monotonic clock.
  using Clock = std::function<double()>;

  ProgressPrinter(Sink sink, ProgressStyle style);
  ProgressPrinter(Sink sink, ProgressStyle style, Clock clock);
  ~ProgressPrinter() override;
  void on(const Event& event) override;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace stoker
