#include <unordered_set>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/models/detail/layers.h"
#include "stoker/models/fast_net.h"
#include "stoker/models/model.h"
#include "stoker/models/resnet.h"

namespace stoker {

namespace {
struct Entry {
  const char* name;
  std::shared_ptr<Model> (*make)(const ModelSpec&);
};

// One line a model.
constexpr Entry kModels[] = {
    {"resnet18", make_resnet18}, {"resnet34", make_resnet34}, {"resnet50", make_resnet50},
    {"resnet20", make_resnet20}, {"resnet56", make_resnet56}, {"fast_net", make_fast_net},
};
}  // namespace

std::vector<std::string> list_models() {
  std::vector<std::string> names;
  for (const Entry& entry : kModels) names.emplace_back(entry.name);
  return names;
}

std::shared_ptr<Model> make_model(const ModelSpec& spec) {
  for (const Entry& entry : kModels) {
    if (spec.name != entry.name) continue;
    auto model = entry.make(spec);
    detail::allow_winograd(*model, spec.winograd);
    return model;
  }
  throw Error(ErrorCode::kInvalid,
              cat("[models] model.name: expected a known model, got '", spec.name, "'",
                  suggestion(spec.name, list_models())));
}

std::vector<std::pair<std::string, torch::Tensor>> named_tensors(
    const torch::nn::Module& module) {
  std::vector<std::pair<std::string, torch::Tensor>> tensors;
  for (const auto& item : module.named_parameters())
    tensors.emplace_back(item.key(), item.value());
  for (const auto& item : module.named_buffers())
    tensors.emplace_back(item.key(), item.value());
  return tensors;
}

int64_t count_parameters(const torch::nn::Module& module) {
  std::unordered_set<const void*> seen;
  int64_t count = 0;
  for (const torch::Tensor& parameter : module.parameters()) {
    if (seen.insert(parameter.unsafeGetTensorImpl()).second) count += parameter.numel();
  }
  return count;
}

}  // namespace stoker
