#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stoker/base/error.h"
#include "stoker/config/recipe.h"

namespace stoker::data {

namespace detail {
struct Buffers;
}

/// What the random numbers of one sample depend on.
struct SampleKey {
  uint64_t seed = 0;
  uint64_t epoch = 0;
  uint64_t sample = 0;  ///< Index in the data set.
};

enum class Layout { kNchw, kNhwc };

/// Memory of one thread for running programs; nothing is allocated per sample once it has
/// grown to the images that it meets (libjpeg and libpng take and return memory of their
/// own).
class AugmentScratch {
 public:
  AugmentScratch();
  ~AugmentScratch();
  AugmentScratch(AugmentScratch&&) noexcept;
  AugmentScratch& operator=(AugmentScratch&&) noexcept;
  detail::Buffers& buffers() { return *buffers_; }

 private:
  std::unique_ptr<detail::Buffers> buffers_;
};

/// A chain of augmentations, compiled once: encoded bytes in, a sample in its batch slot
/// out.
///
/// Random numbers are keyed by (seed, epoch, sample, operation): the same sample comes
/// out whatever thread runs it. Definitions follow torchvision's transforms v2.
class AugmentProgram {
 public:
  /// Reads and checks the operations. Throws Error(kInvalid) with the recipe's line.
  AugmentProgram(const std::vector<config::NamedConfig>& chain, int channels,
                 Layout layout);
  ~AugmentProgram();
  AugmentProgram(AugmentProgram&&) noexcept;
  AugmentProgram& operator=(AugmentProgram&&) noexcept;

  /// [height, width] of a sample; zeros while the chain does not fix it and `set_size`
  /// has not been called.
  int height() const;
  int width() const;
  int channels() const;
  int64_t sample_floats() const { return int64_t{1} * height() * width() * channels(); }
  /// Size of the source images, when the chain itself fixes no size.
  void set_size(int height, int width);
  /// One line a step, for the plan.
  std::vector<std::string> describe() const;

  /// Decodes, augments, normalises and writes `sample_floats()` floats to `slot`.
  /// Pixels are in [0, 1] before normalisation.
  Status run(std::span<const std::byte> encoded, const SampleKey& key, float* slot,
             AugmentScratch& scratch) const;

 private:
  struct Steps;
  std::unique_ptr<Steps> steps_;
};

/// The operations of a chain without random ones, for evaluation: a crop of random place
/// becomes a centre crop, after a resize of the shorter side to 8/7 of it (224: 256)
/// where the size was random too; flips and cutouts go.
std::vector<config::NamedConfig> evaluation_chain(
    const std::vector<config::NamedConfig>& training_chain);

std::vector<std::string> list_augmentations();

}  // namespace stoker::data
