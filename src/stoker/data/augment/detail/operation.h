#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stoker/base/error.h"
#include "stoker/config/reader.h"
#include "stoker/config/recipe.h"
#include "stoker/data/augment/detail/canvas.h"
#include "stoker/data/augment/program.h"

namespace stoker::data::detail {

/// Zeros while not known.
struct Size {
  int height = 0;
  int width = 0;
  bool known() const { return height > 0 && width > 0; }
};

/// One operation of a chain, its parameters read. Immutable: threads share it.
class Operation {
 public:
  virtual ~Operation() = default;
  /// Random numbers come from `KeyedRandom(key.seed, key.epoch, key.sample, index)` only.
  virtual Status apply(Canvas& canvas, const SampleKey& key, uint32_t index) const = 0;
  virtual Size size_after(Size before) const { return before; }
  virtual std::string describe() const = 0;
  /// How pixels become floats, when this operation says so; it must then be the last.
  virtual const Normalization* normalization() const { return nullptr; }
};

using Chain = std::vector<config::NamedConfig>;

/// An operation that recipes can name.
struct OperationEntry {
  const char* name;
  /// The parameter that a bare value stands for, as in `resize = 256`.
  const char* main_parameter;
  std::unique_ptr<Operation> (*make)(config::Reader& reader, int channels);
  /// What takes its place in evaluation.
  Chain (*for_evaluation)(const config::NamedConfig& operation);
};

std::span<const OperationEntry> all_operations();

std::unique_ptr<Operation> make_auto_augment(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_center_crop(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_color_jitter(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_cutout(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_gaussian_blur(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_hflip(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_normalize(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_rand_augment(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_random_affine(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_random_crop(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_random_erasing(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_random_grayscale(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_random_resized_crop(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_random_rotation(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_resize(config::Reader& reader, int channels);
std::unique_ptr<Operation> make_trivial_augment_wide(config::Reader& reader,
                                                     int channels);
std::unique_ptr<Operation> make_vflip(config::Reader& reader, int channels);

Chain keep(const config::NamedConfig& operation);
Chain leave_out(const config::NamedConfig& operation);
Chain center_crop_instead(const config::NamedConfig& operation);
Chain resize_and_center_crop_instead(const config::NamedConfig& operation);

/// The part of `image` in the middle; halves of an odd rest round to even, as
/// torchvision's.
Region centre_region(Size image, Size crop);

}  // namespace stoker::data::detail
