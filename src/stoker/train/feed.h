#pragma once

#include <torch/types.h>

#include <cstdint>
#include <optional>

#include "stoker/data/pipeline/loader.h"

namespace stoker {

/// A batch as tensors: input [N, C, H, W] float32, labels [N] int64.
struct DeviceBatch {
  torch::Tensor input;
  torch::Tensor labels;
};

/// Tensors over the batch's own memory on the CPU (no copy: the batch must outlive them),
/// a copy on another device.
DeviceBatch to_device(data::Batch& batch, const torch::Device& device,
                      bool channels_last);

/// Hands out the micro-batches of one update after the other.
class UpdateFeed {
 public:
  explicit UpdateFeed(data::Loader& loader) : loader_(loader) {}
  /// Moves to the next update; false when there is none.
  bool begin_update();
  int64_t epoch() const { return epoch_; }
  /// Index of the update in its epoch.
  int64_t update() const { return update_; }
  /// The next micro-batch of this update, or nothing after its last.
  std::optional<data::Batch> next();

 private:
  data::Loader& loader_;
  std::optional<data::Batch> ahead_;
  int64_t epoch_ = 0;
  int64_t update_ = 0;
};

}  // namespace stoker
