#include "stoker/report/detail/summary.h"

#include <algorithm>
#include <cmath>

#include "stoker/base/strings.h"
#include "stoker/base/units.h"
#include "stoker/report/detail/wording.h"
#include "stoker/report/verdict.h"

namespace stoker::detail {

namespace {
constexpr size_t kBadSamplesShown = 10;
using Rows = std::vector<std::pair<std::string, std::string>>;

std::string left_aligned(const std::string& text, size_t width) {
  return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

std::string right_aligned(const std::string& text, size_t width) {
  return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

/// The sentence with a line for each of its halves.
std::string in_lines(std::string sentence) {
  const size_t at = sentence.find("; ");
  if (at != std::string::npos) sentence.replace(at, 2, ";\n  ");
  return sentence;
}

std::string rows_text(const Rows& rows) {
  size_t width = 0;
  for (const auto& [name, value] : rows) width = std::max(width, name.size());
  std::string out;
  for (const auto& [name, value] : rows) {
    out += cat("  ", left_aligned(name, width), "  ", value, "\n");
  }
  return out;
}

std::string time_table(const RunFinished& end, const Paint& paint) {
  const double wall = end.time.total();
  const auto row = [&](const std::string& name, double seconds) {
    const double share = wall > 0 ? seconds / wall : 0;
    return cat("  ", left_aligned(name, 20), right_aligned(fixed(seconds, 2), 12),
               right_aligned(percent(share), 10), "\n");
  };
  std::string out =
      paint.bold(cat("  ", left_aligned("where the time went", 20),
                     right_aligned("seconds", 12), right_aligned("share", 10))) +
      "\n";
  for (const auto& [name, seconds] : parts(end.time)) out += row(name, seconds);
  std::string total = row("wall time", wall);
  total.pop_back();
  return cat(out, paint.bold(total), "\n");
}

std::string memory_table(const MemorySplit& memory, const Paint& paint) {
  std::string out = paint.bold("  memory at the peak") + "\n";
  for (const auto& [name, bytes] : memory_rows(memory)) {
    out += cat("  ", left_aligned(name, 26), right_aligned(bytes, 16), "\n");
  }
  return out;
}

std::string accuracy_text(const RunFinished& end, const Paint& paint) {
  if (!end.last) return {};
  std::string out = cat("  test accuracy ", percent(end.last->accuracy));
  const EvaluationDone& best = end.best ? *end.best : *end.last;
  out += cat(", best ", percent(best.accuracy), " after epoch ", best.epoch);
  if (end.target_accuracy) {
    const bool reached = best.accuracy >= *end.target_accuracy;
    const std::string verdict = reached ? "reached" : "not reached";
    out += cat(", target ", percent(*end.target_accuracy), ": ",
               reached ? paint.good(verdict) : paint.warning(verdict));
  }
  return out + "\n";
}

std::string bad_samples_text(const std::vector<BadSample>& samples, const Paint& paint,
                             bool all) {
  if (samples.empty()) return {};
  std::string out =
      paint.warning(cat("  samples left out: ",
                        format_count(static_cast<int64_t>(samples.size())))) +
      "\n";
  const size_t shown = all ? samples.size() : std::min(samples.size(), kBadSamplesShown);
  for (size_t i = 0; i < shown; ++i) {
    out += cat("    ", samples[i].name, ": ", samples[i].reason, "\n");
  }
  if (shown < samples.size()) {
    out += cat("    and ", format_count(static_cast<int64_t>(samples.size() - shown)),
               " more; the report lists them\n");
  }
  return out + "\n";
}
}  // namespace

std::string Paint::code(const char* number, const std::string& text) const {
  if (!color_ || text.empty()) return text;
  return cat("\x1b[", number, "m", text, "\x1b[0m");
}

std::string start_text(const RunStarted& start, const Paint& paint) {
  Rows rows = {{"model", cat(start.model, ", ", format_count(start.parameters),
                             " parameters, ", format_count(start.classes), " classes")},
               {"device", start.device},
               {"data", cat(format_count(start.train_samples), " training samples, ",
                            format_count(start.val_samples), " test samples")},
               {"batch", start.batch_equation},
               {"length", cat(format_count(start.epochs), " epochs of ",
                              format_count(start.steps_per_epoch), " steps")},
               {"folder", start.folder}};
  if (start.first_step > 0) {
    rows.emplace_back("resumed", cat("from step ", format_count(start.first_step)));
  }
  for (const std::string& note : start.notes) rows.emplace_back("note", note);
  return cat(paint.bold(cat("training ", start.name)), "\n", rows_text(rows), "\n");
}

std::string end_text(const RunFinished& end, const Verdict& verdict, const Paint& paint,
                     bool all_bad_samples) {
  const std::string figures = cat(format_count(end.step), " steps, ",
                                  format_count(std::llround(end.samples_per_second)),
                                  " img/s, device busy ", percent(end.busy));
  std::string out =
      end.completed ? cat(paint.bold(cat("done in ", format_duration(end.wall_seconds))),
                          ": ", figures)
                    : cat(paint.warning(cat("stopped before the end: ", end.reason)),
                          " after ", format_duration(end.wall_seconds), ", ", figures);
  out += cat("\n", accuracy_text(end, paint), "  ", in_lines(sentence(verdict)), "\n\n",
             time_table(end, paint), "\n", memory_table(end.memory, paint), "\n",
             bad_samples_text(end.bad_samples, paint, all_bad_samples));
  if (!end.outputs.empty()) {
    out += cat(paint.bold("  outputs"), "\n", rows_text(end.outputs));
  }
  if (!end.completed && !end.resume_command.empty()) {
    out += cat("\ngo on with: ", end.resume_command, "\n");
  }
  return out;
}

}  // namespace stoker::detail
