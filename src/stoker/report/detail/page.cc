#include "stoker/report/detail/page.h"

#include <algorithm>
#include <cmath>

#include "stoker/base/strings.h"
#include "stoker/base/units.h"
#include "stoker/report/detail/assets.h"
#include "stoker/report/detail/markup.h"
#include "stoker/report/detail/plot_data.h"
#include "stoker/report/detail/wording.h"

namespace stoker::detail {

namespace {
constexpr size_t kMaxRows = 200;
constexpr size_t kMaxBadSamples = 500;

std::string header(const History& history, const std::string& moment) {
  const RunStarted& start = history.start();
  const auto& end = history.finished();
  std::string state = element("span", "running", "state running");
  if (end && end->completed) state = element("span", "finished", "state done");
  if (end && !end->completed) state = element("span", "stopped early", "state stopped");
  return cat("<header><h1>", escape_html(start.name), " ", state, "</h1>\n",
             element("p", cat(start.model, ", ", format_count(start.parameters),
                              " parameters, on ", start.device)),
             element("p", cat("Written ", moment, " UTC")), "</header>\n");
}

std::string verdict_card(const History& history) {
  std::string out =
      cat("<section class=\"card verdict\">", element("p", headline(history)),
          element("p", sentence(history.verdict())));
  if (const auto& end = history.finished(); end && !end->completed) {
    out += element("p", cat("It did not run to its end: ", end->reason, "."), "bad");
    if (!end->resume_command.empty()) {
      out += cat("<p>Go on with ", element("code", end->resume_command), "</p>");
    }
  }
  return out + "</section>\n";
}

std::string tile(const std::string& value, const std::string& what) {
  return cat("<div class=\"card tile\">", element("b", value), element("span", what),
             "</div>\n");
}

std::string tiles(const History& history) {
  const TimeSplit time = history.time();
  const double training = history.training().total();
  int64_t samples = 0;
  for (const StepPoint& point : history.steps().points()) samples += point.samples;
  std::string out = "<div class=\"tiles\">\n";
  if (const auto* best = history.best()) {
    out += tile(percent(best->accuracy), cat("best test accuracy, epoch ", best->epoch));
  }
  out += tile(format_duration(time.total()), "wall time");
  if (training > 0) {
    out += tile(format_count(std::llround(static_cast<double>(samples) / training)),
                "samples per second in training");
    out += tile(percent(history.verdict().busy), "device busy in training");
  }
  if (history.finished()) {
    out += tile(format_bytes(history.finished()->memory.peak_rss), "peak memory (RSS)");
  }
  return out + "</div>\n";
}

std::string time_row(size_t index, const std::string& name, double seconds,
                     double total) {
  const std::string share = total > 0 ? fixed(100 * seconds / total, 1) : "0.0";
  return cat("<tr><td><span class=\"swatch\" style=\"background:var(--part-", index,
             ")\"></span>", escape_html(name), "</td>",
             element("td", fixed(seconds, 2), "n"), element("td", share + " %", "n"),
             "<td class=\"share\"><div class=\"bar\" style=\"width:", share,
             "%;background:var(--part-", index, ")\"></div></td></tr>\n");
}

std::string time_table(const TimeSplit& time) {
  std::string out =
      "<table><thead><tr><th>part</th><th class=\"n\">seconds</th><th "
      "class=\"n\">share</th>"
      "<th class=\"share\"></th></tr></thead>\n";
  size_t index = 0;
  for (const auto& [name, seconds] : parts(time)) {
    out += time_row(index++, name, seconds, time.total());
  }
  return cat(out, "<tr class=\"total\"><td>wall time</td>",
             element("td", fixed(time.total(), 2), "n"),
             "<td class=\"n\">100.0 %</td><td class=\"share\"></td></tr></table>\n");
}

std::string memory_table(const History& history) {
  if (!history.finished()) {
    const bool any = !history.epochs().empty();
    const int64_t rss = any ? history.epochs().back().rss : 0;
    return any ? pairs_table({{"process now (RSS)", format_bytes(rss)}}, true)
               : element("p", "Known after the first epoch.", "soft");
  }
  return pairs_table(memory_rows(history.finished()->memory), true);
}

std::string accuracy_table(const History& history) {
  std::vector<std::pair<std::string, std::string>> rows;
  const auto target = history.target_accuracy();
  if (const auto* best = history.best()) {
    rows.emplace_back("best", cat(percent(best->accuracy), " (epoch ", best->epoch, ")"));
    rows.emplace_back("last", cat(percent(history.last()->accuracy), " (epoch ",
                                  history.last()->epoch, ")"));
  }
  if (target) rows.emplace_back("target", percent(*target));
  if (rows.empty()) return element("p", "No evaluation yet.", "soft");
  return pairs_table(rows, true);
}

std::string plots() {
  const auto plot = [](const char* id, const char* heading, const char* css) {
    return card(heading,
                cat("<div class=\"plot\"><canvas id=\"", id,
                    "\" role=\"img\" aria-label=\"", heading, "\"></canvas></div>\n"),
                css);
  };
  return cat("<div class=\"plots\">\n", plot("loss", "Loss", ""),
             plot("accuracy", "Accuracy", ""), plot("rate", "Learning rate", ""),
             plot("speed", "Throughput", ""),
             plot("parts", "Where the time of each epoch went", "wide"), "</div>\n");
}

std::string epoch_row(const EpochDone& epoch) {
  std::string out = "<tr>";
  const auto& evaluation = epoch.evaluation;
  for (const std::string& cell :
       {cat(epoch.epoch), fixed(epoch.loss, 4), percent(epoch.accuracy),
        evaluation ? fixed(evaluation->loss, 4) : "-",
        evaluation ? percent(evaluation->accuracy) : "-",
        short_number(epoch.learning_rate),
        format_count(std::llround(epoch.samples_per_second)), percent(epoch.busy),
        format_duration(epoch.time.total())}) {
    out += element("td", cell, "n");
  }
  return out + "</tr>\n";
}

std::string epoch_table(const std::vector<EpochDone>& epochs) {
  if (epochs.empty()) return element("p", "No epoch has ended yet.", "soft");
  std::string out = "<div class=\"scroll\"><table><thead><tr>";
  for (const char* name :
       {"epoch", "train loss", "train accuracy", "test loss", "test accuracy",
        "learning rate", "samples/s", "busy", "time"}) {
    out += element("th", name, "n");
  }
  out += "</tr></thead>\n";
  const size_t stride = (epochs.size() + kMaxRows - 1) / kMaxRows;
  for (size_t i = 0; i < epochs.size(); ++i) {
    if (i % stride == (epochs.size() - 1) % stride) out += epoch_row(epochs[i]);
  }
  return out + "</table></div>\n";
}

std::string bad_samples(const std::vector<BadSample>& samples) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (size_t i = 0; i < std::min(samples.size(), kMaxBadSamples); ++i) {
    rows.emplace_back(samples[i].name, samples[i].reason);
  }
  std::string out = pairs_table(rows, false);
  if (samples.size() > kMaxBadSamples) {
    out += element(
        "p",
        cat("and ", format_count(static_cast<int64_t>(samples.size() - kMaxBadSamples)),
            " more"));
  }
  return card(
      cat("Samples left out: ", format_count(static_cast<int64_t>(samples.size()))), out);
}

std::string details(const std::string& summary, const std::string& markup) {
  return cat("<details class=\"card\">", element("summary", summary), "\n", markup,
             "</details>\n");
}

std::string setup_rows(const History& history) {
  const RunStarted& start = history.start();
  std::vector<std::pair<std::string, std::string>> rows = {
      {"device", start.device},
      {"data", cat(format_count(start.train_samples), " training and ",
                   format_count(start.val_samples), " test samples, ",
                   format_count(start.classes), " classes")},
      {"batch", start.batch_equation},
      {"length", cat(format_count(start.epochs), " epochs of ",
                     format_count(start.steps_per_epoch), " steps")},
      {"folder", start.folder}};
  if (start.first_step > 0) {
    rows.emplace_back("resumed", cat("from step ", format_count(start.first_step)));
  }
  rows.insert(rows.end(), start.environment.begin(), start.environment.end());
  if (history.finished()) {
    rows.insert(rows.end(), history.finished()->outputs.begin(),
                history.finished()->outputs.end());
  }
  return pairs_table(rows, false);
}

std::string remarks(const History& history) {
  std::string out;
  if (history.num_warnings() > 0) {
    std::vector<std::string> lines = history.warnings();
    const int64_t more = history.num_warnings() - static_cast<int64_t>(lines.size());
    if (more > 0) lines.push_back(cat("and ", format_count(more), " more"));
    out += card("Warnings", bullets(lines));
  }
  if (history.finished() && !history.finished()->bad_samples.empty()) {
    out += bad_samples(history.finished()->bad_samples);
  }
  if (!history.start().notes.empty())
    out += card("Notes", bullets(history.start().notes));
  return out;
}
}  // namespace

std::string render_page(const History& history, const std::string& moment) {
  const RunStarted& start = history.start();
  return cat(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
      "<link rel=\"icon\" href=\"data:,\">\n",
      element("title", cat(start.name, " - stoker")), "\n<style>\n", report_css(),
      "</style></head>\n<body>\n", header(history, moment), "<main>\n",
      verdict_card(history), tiles(history), "<div class=\"pair\">\n",
      card("Where the time went", time_table(history.time())), "<div>\n",
      card("Test accuracy", accuracy_table(history)),
      card("Memory at the peak", memory_table(history)), "</div></div>\n", plots(),
      remarks(history), details("Epochs", epoch_table(history.epochs())),
      details("Setup and environment", setup_rows(history)),
      details("Plan (TOML)", element("pre", start.plan_toml)), "</main>\n",
      "<script type=\"application/json\" id=\"data\">",
      json_in_script(plot_data(history)), "</script>\n<script>\n", chart_js(),
      "\n</script>\n<script>\n", report_js(), "</script>\n</body></html>\n");
}

}  // namespace stoker::detail
