#pragma once

#include <string>

#include "stoker/events/events.h"
#include "stoker/report/verdict.h"

namespace stoker::detail {

/// Puts escape codes around a text, where colours are wanted.
class Paint {
 public:
  explicit Paint(bool color) : color_(color) {}
  std::string bold(const std::string& text) const { return code("1", text); }
  std::string dim(const std::string& text) const { return code("2", text); }
  std::string good(const std::string& text) const { return code("32", text); }
  std::string warning(const std::string& text) const { return code("33", text); }

 private:
  std::string code(const char* number, const std::string& text) const;
  bool color_;
};

/// What runs, on what, with which batch; the notes of the plan.
std::string start_text(const RunStarted& start, const Paint& paint);

/// What came out: accuracy, where time and memory went, samples left out, outputs; of an
/// interrupted run also how to go on. Every bad sample when `all_bad_samples`, else ten.
std::string end_text(const RunFinished& end, const Verdict& verdict, const Paint& paint,
                     bool all_bad_samples);

}  // namespace stoker::detail
