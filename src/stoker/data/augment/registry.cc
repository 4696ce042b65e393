#include <array>

#include "stoker/data/augment/detail/operation.h"

namespace stoker::data {
namespace detail {
namespace {

/// One line an operation.
constexpr std::array kOperations = {
    OperationEntry{"center_crop", "size", make_center_crop, keep},
    OperationEntry{"cutout", "size", make_cutout, leave_out},
    OperationEntry{"hflip", "p", make_hflip, leave_out},
    OperationEntry{"normalize", "name", make_normalize, keep},
    OperationEntry{"random_crop", "size", make_random_crop, center_crop_instead},
    OperationEntry{"random_resized_crop", "size", make_random_resized_crop,
                   resize_and_center_crop_instead},
    OperationEntry{"resize", "size", make_resize, keep},
    OperationEntry{"vflip", "p", make_vflip, leave_out},
};

}  // namespace

std::span<const OperationEntry> all_operations() { return kOperations; }

Chain keep(const config::NamedConfig& operation) { return {operation}; }

Chain leave_out(const config::NamedConfig& /*operation*/) { return {}; }

}  // namespace detail

std::vector<std::string> list_augmentations() {
  std::vector<std::string> names;
  for (const detail::OperationEntry& entry : detail::kOperations)
    names.emplace_back(entry.name);
  return names;
}

}  // namespace stoker::data
