#include <map>
#include <set>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"
#include "stoker/checkpoint/detail/header.h"
#include "stoker/checkpoint/store.h"

namespace stoker {
namespace {

/// "missing: a, b and 5 more"; nothing for an empty list.
void add_list(std::vector<std::string>& parts, const char* title,
              std::vector<std::string> names) {
  constexpr size_t kMostNames = 20;
  if (names.empty()) return;
  const size_t more = names.size() > kMostNames ? names.size() - kMostNames : 0;
  names.resize(names.size() - more);
  parts.push_back(cat(title, ": ", join(names, ", "),
                      more > 0 ? cat(" and ", more, " more") : std::string()));
}

/// Removes the names whose tensor is one with a tensor that gets its value: tied weights.
void remove_tied(NamedTensors& missing,
                 const std::vector<std::pair<torch::Tensor, torch::Tensor>>& copies) {
  std::set<std::pair<const void*, std::vector<int64_t>>> given;
  for (const auto& [target, source] : copies) {
    given.emplace(target.const_data_ptr(), target.sizes().vec());
  }
  std::erase_if(missing, [&](const auto& item) {
    const torch::Tensor& tensor = item.second;
    return tensor.numel() > 0 &&
           given.contains({tensor.const_data_ptr(), tensor.sizes().vec()});
  });
}

std::string described(const torch::Tensor& tensor) {
  return cat(torch::toString(tensor.scalar_type()), " ",
             detail::shown(tensor.sizes().vec()));
}

}  // namespace

void copy_named_tensors(const NamedTensors& from, const NamedTensors& into,
                        const std::string& what) {
  std::map<std::string, torch::Tensor> sources(from.begin(), from.end());
  NamedTensors missing;
  std::vector<std::string> different;
  std::vector<std::pair<torch::Tensor, torch::Tensor>> copies;
  for (const auto& [name, target] : into) {
    const auto source = sources.find(name);
    if (source == sources.end()) {
      missing.emplace_back(name, target);
      continue;
    }
    const torch::Tensor& tensor = source->second;
    if (tensor.sizes() != target.sizes() ||
        !c10::canCast(tensor.scalar_type(), target.scalar_type())) {
      different.push_back(cat(detail::shown(name), " (expected ", described(target),
                              ", got ", described(tensor), ")"));
    }
    copies.emplace_back(target, tensor);
    sources.erase(source);
  }
  remove_tied(missing, copies);
  std::vector<std::string> missing_names;
  for (const auto& [name, tensor] : missing) missing_names.push_back(detail::shown(name));
  std::vector<std::string> surplus;
  for (const auto& [name, tensor] : sources) surplus.push_back(detail::shown(name));

  std::vector<std::string> parts;
  add_list(parts, "missing", missing_names);
  add_list(parts, "surplus", surplus);
  add_list(parts, "of another shape or dtype", different);
  if (!parts.empty()) {
    throw Error(ErrorCode::kData,
                cat("[checkpoint] ", what, ": expected the ", into.size(),
                    " tensors wanted here, got ", from.size(), "; ", join(parts, "; ")));
  }
  const torch::NoGradGuard no_grad;
  for (auto& [target, source] : copies) target.copy_(source);
}

}  // namespace stoker
