#pragma once

#include <filesystem>
#include <memory>

#include "stoker/events/events.h"

namespace stoker {

/// Writes `report.html` into a run's folder: one self-contained page with the verdict,
/// where time and memory went, accuracy and the curves.
///
/// The page is replaced whole after every epoch and at the end, so that a running
/// training can be looked at. A resumed run takes its earlier curves from `metrics.jsonl`
/// in the same folder. A curve has at most 2,000 points: longer ones are means over
/// neighbouring steps. Throws Error(kIo).
class HtmlReport : public Listener {
 public:
  explicit HtmlReport(std::filesystem::path folder);
  ~HtmlReport() override;
  void on(const Event& event) override;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace stoker
