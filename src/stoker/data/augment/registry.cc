#include <array>

#include "stoker/data/augment/detail/operation.h"

namespace stoker::data {
namespace detail {
namespace {

/// One line an operation.
constexpr std::array kOperations = {
    OperationEntry{"auto_augment", "policy", make_auto_augment, leave_out},
    OperationEntry{"center_crop", "size", make_center_crop, keep},
    OperationEntry{"color_jitter", "brightness", make_color_jitter, leave_out},
    OperationEntry{"cutout", "size", make_cutout, leave_out},
    OperationEntry{"gaussian_blur", "kernel_size", make_gaussian_blur, leave_out},
    OperationEntry{"hflip", "p", make_hflip, leave_out},
    OperationEntry{"normalize", "name", make_normalize, keep},
    OperationEntry{"rand_augment", "magnitude", make_rand_augment, leave_out},
    OperationEntry{"random_affine", "degrees", make_random_affine, leave_out},
    OperationEntry{"random_crop", "size", make_random_crop, center_crop_instead},
    OperationEntry{"random_erasing", "p", make_random_erasing, leave_out},
    OperationEntry{"random_grayscale", "p", make_random_grayscale, leave_out},
    OperationEntry{"random_resized_crop", "size", make_random_resized_crop,
                   resize_and_center_crop_instead},
    OperationEntry{"random_rotation", "degrees", make_random_rotation, leave_out},
    OperationEntry{"resize", "size", make_resize, keep},
    OperationEntry{"trivial_augment_wide", "num_magnitude_bins",
                   make_trivial_augment_wide, leave_out},
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
