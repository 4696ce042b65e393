#include "stoker/report/detail/plot_data.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "stoker/base/strings.h"

namespace stoker::detail {

namespace {
using Json = nlohmann::json;
constexpr size_t kMaxPoints = 2000;
constexpr size_t kMaxBars = 100;

Json number(double value, int digits) {
  if (!std::isfinite(value)) return nullptr;
  if (value == 0) return 0;
  const double scale =
      std::pow(10.0, digits - 1 - std::floor(std::log10(std::abs(value))));
  const double rounded = std::round(value * scale) / scale;
  return std::isfinite(rounded) ? rounded : value;
}

/// Epochs at a step, or steps where their number is not known.
double x_of(const History& history, int64_t step) {
  const auto each =
      static_cast<double>(std::max<int64_t>(1, history.start().steps_per_epoch));
  return static_cast<double>(step) / each;
}

Json step_curves(const History& history) {
  Json out{{"x", Json::array()},
           {"loss", Json::array()},
           {"learning_rate", Json::array()},
           {"speed", Json::array()}};
  for (const StepPoint& point : history.steps().points()) {
    out["x"].push_back(number(x_of(history, point.step), 7));
    out["loss"].push_back(number(point.loss(), 5));
    out["learning_rate"].push_back(number(point.learning_rate, 6));
    out["speed"].push_back(number(point.samples_per_second(), 5));
  }
  return out;
}

/// Accuracy, and loss where there is one, at a few thousand of many moments, the last
/// kept.
template <typename Done>
Json moments(const History& history, const std::vector<Done>& all) {
  Json out{{"x", Json::array()}, {"accuracy", Json::array()}, {"loss", Json::array()}};
  const size_t stride = (all.size() + kMaxPoints - 1) / kMaxPoints;
  for (size_t i = 0; i < all.size(); ++i) {
    if (i % stride != (all.size() - 1) % stride) continue;
    out["x"].push_back(number(x_of(history, all[i].step), 7));
    out["accuracy"].push_back(number(all[i].accuracy, 6));
    out["loss"].push_back(number(all[i].loss, 5));
  }
  return out;
}

Json part_bars(const std::vector<EpochDone>& epochs) {
  Json names = Json::array();
  Json bars = Json::array();
  for (const auto& [name, seconds] : parts({})) {
    names.push_back(name);
    bars.push_back(Json::array());
  }
  Json labels = Json::array();
  const size_t group = std::max<size_t>(1, (epochs.size() + kMaxBars - 1) / kMaxBars);
  for (size_t first = 0; first < epochs.size(); first += group) {
    const size_t end = std::min(epochs.size(), first + group);
    TimeSplit time;
    for (size_t i = first; i < end; ++i) time += epochs[i].time;
    const int64_t from = epochs[first].epoch;
    const int64_t to = epochs[end - 1].epoch;
    labels.push_back(from == to ? cat(from) : cat(from, "\u2013", to));
    const auto split = parts(time);
    for (size_t i = 0; i < split.size(); ++i)
      bars[i].push_back(number(split[i].second, 5));
  }
  return {{"names", names}, {"labels", labels}, {"bars", bars}};
}
}  // namespace

std::string plot_data(const History& history) {
  const bool in_epochs = history.start().steps_per_epoch > 0;
  Json json{{"x_title", in_epochs ? "epoch" : "step"},
            {"x_max", number(x_of(history, history.last_step()), 7)},
            {"target", nullptr},
            {"steps", step_curves(history)},
            {"epochs", moments(history, history.epochs())},
            {"evaluations", moments(history, history.evaluations())},
            {"parts", part_bars(history.epochs())}};
  if (const auto target = history.target_accuracy()) json["target"] = *target;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace stoker::detail
