#include "stoker/report/detail/lines.h"

#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <nlohmann/json.hpp>

#include "stoker/base/strings.h"
#include "stoker/report/detail/fields.h"

namespace stoker::detail {

namespace {
using Json = nlohmann::ordered_json;

/// In the order of the alternatives of Event.
constexpr std::array kKinds = {"start",      "step",    "epoch", "evaluation",
                               "checkpoint", "warning", "finish"};
static_assert(kKinds.size() == std::variant_size_v<Event>);

class Writer {
 public:
  template <typename T>
  Json object(const T& value, const std::string& path) {
    Json json = Json::object();
    visit_fields(value, [&](const char* name, const auto& field) {
      json[name] = write(field, path.empty() ? name : cat(path, ".", name));
    });
    return json;
  }
  const std::vector<std::string>& not_finite() const { return not_finite_; }

 private:
  Json write(const std::string& value, const std::string&) { return value; }
  Json write(bool value, const std::string&) { return value; }
  Json write(int64_t value, const std::string&) { return value; }
  Json write(double value, const std::string& path) {
    if (std::isfinite(value)) return value;
    not_finite_.push_back(path);
    return nullptr;
  }
  Json write(const TimeSplit& time, const std::string& path) {
    Json json = Json::object();
    visit_fields(time, [&](const char* name, double seconds) {
      json[name] = write(std::round(seconds * 1e6) / 1e6, cat(path, ".", name));
    });
    return json;
  }
  template <typename T>
  Json write(const std::optional<T>& value, const std::string& path) {
    if (!value) return nullptr;
    if constexpr (std::is_arithmetic_v<T>) {
      return write(*value, path);
    } else {
      return object(*value, path);
    }
  }
  Json write(const std::vector<std::string>& values, const std::string&) {
    return values;
  }
  Json write(const std::vector<std::pair<std::string, std::string>>& pairs,
             const std::string&) {
    Json json = Json::object();
    for (const auto& [what, value] : pairs) json[what] = value;
    return json;
  }
  Json write(const std::vector<BadSample>& samples, const std::string& path) {
    Json json = Json::array();
    for (const BadSample& sample : samples) json.push_back(object(sample, path));
    return json;
  }
  template <typename T>
  Json write(const T& value, const std::string& path) {
    return object(value, path);
  }

  std::vector<std::string> not_finite_;
};

class Reader {
 public:
  template <typename T>
  static void object(const Json& json, T& value) {
    visit_fields(value, [&](const char* name, auto& field) {
      if (const auto found = json.find(name); found != json.end()) read(*found, field);
    });
  }

 private:
  static void read(const Json& json, std::string& value) { json.get_to(value); }
  static void read(const Json& json, bool& value) { json.get_to(value); }
  static void read(const Json& json, int64_t& value) { json.get_to(value); }
  static void read(const Json& json, double& value) {
    value =
        json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
  }
  template <typename T>
  static void read(const Json& json, std::optional<T>& value) {
    value.reset();
    if (!json.is_null()) read(json, value.emplace());
  }
  static void read(const Json& json, std::vector<std::string>& values) {
    json.get_to(values);
  }
  static void read(const Json& json,
                   std::vector<std::pair<std::string, std::string>>& pairs) {
    for (const auto& [what, value] : json.items()) {
      pairs.emplace_back(what, value.template get<std::string>());
    }
  }
  static void read(const Json& json, std::vector<BadSample>& samples) {
    for (const Json& sample : json) object(sample, samples.emplace_back());
  }
  template <typename T>
  static void read(const Json& json, T& value) {
    object(json, value);
  }
};

/// Gives `event` the alternative of that kind; false for an unknown one.
template <size_t kIndex = 0>
bool emplace_kind(const std::string& kind, Event& event) {
  if constexpr (kIndex == kKinds.size()) {
    return false;
  } else {
    if (kind != kKinds[kIndex]) return emplace_kind<kIndex + 1>(kind, event);
    event.emplace<kIndex>();
    return true;
  }
}

void set_step(Event& event, int64_t step) {
  std::visit(
      [&](auto& value) {
        if constexpr (requires { value.step; }) value.step = step;
      },
      event);
}
}  // namespace

std::string to_json(const Line& line) {
  Json json{{"kind", kKinds[line.event.index()]}, {"step", line.step}};
  if (!line.time.empty()) json["utc"] = line.time;
  Writer writer;
  json.update(std::visit([&](const auto& event) { return writer.object(event, ""); },
                         line.event));
  if (!writer.not_finite().empty()) json["nan"] = writer.not_finite();
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<Line> from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  try {
    Line line;
    if (!emplace_kind(json.value("kind", ""), line.event)) return std::nullopt;
    line.step = json.at("step").get<int64_t>();
    line.time = json.value("utc", "");
    std::visit([&](auto& event) { Reader::object(json, event); }, line.event);
    set_step(line.event, line.step);
    return line;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace stoker::detail
