#include "stoker/train/feed.h"

#include <torch/torch.h>

#include <utility>

namespace stoker {

DeviceBatch to_device(data::Batch& batch, const torch::Device& device,
                      bool channels_last) {
  const int64_t n = batch.size();
  const int64_t c = batch.channels();
  const int64_t h = batch.height();
  const int64_t w = batch.width();
  const auto pixels =
      channels_last ? torch::from_blob(batch.pixels(), {n, h, w, c}).permute({0, 3, 1, 2})
                    : torch::from_blob(batch.pixels(), {n, c, h, w});
  const auto labels = torch::from_blob(const_cast<int64_t*>(batch.labels().data()), {n},
                                       torch::TensorOptions(torch::kInt64));
  return {pixels.to(device), labels.to(device)};
}

bool UpdateFeed::begin_update() {
  if (!ahead_) ahead_ = loader_.next();
  if (!ahead_) return false;
  epoch_ = ahead_->epoch();
  update_ = ahead_->update();
  return true;
}

std::optional<data::Batch> UpdateFeed::next() {
  if (!ahead_) ahead_ = loader_.next();
  if (!ahead_ || ahead_->epoch() != epoch_ || ahead_->update() != update_)
    return std::nullopt;
  return std::exchange(ahead_, std::nullopt);
}

}  // namespace stoker
