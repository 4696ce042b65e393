#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/methods/ema/ema.h"
#include "stoker/methods/lookahead/lookahead.h"
#include "stoker/methods/method.h"

namespace stoker {

namespace {
struct Entry {
  const char* name;
  std::unique_ptr<Method> (*make)(const config::Node&, const ModelTensors&);
};

// One line a method.
constexpr Entry kMethods[] = {
    {"ema", make_ema},
    {"lookahead", make_lookahead},
};
}  // namespace

std::vector<std::string> list_methods() {
  std::vector<std::string> names;
  for (const Entry& entry : kMethods) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<Method> make_method(const config::NamedConfig& config,
                                    const ModelTensors& model) {
  for (const Entry& entry : kMethods) {
    if (config.name == entry.name) return entry.make(config.params, model);
  }
  throw Error(ErrorCode::kInvalid,
              cat("[methods] ", config.params.where().text(),
                  ": method.name: expected a known method, got '", config.name, "'",
                  suggestion(config.name, list_methods())));
}

}  // namespace stoker
