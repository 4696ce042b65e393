#include "stoker/data/pipeline/detail/tickets.h"

namespace stoker::data::detail {

Tickets::Tickets(const LoaderOptions& options)
    : order_(options.order),
      batch_(options.batch),
      global_batch_(options.global_batch == 0 ? options.batch : options.global_batch),
      updates_(num_batches(order_.num_records, global_batch_, options.drop_last)),
      end_epoch_(options.first_epoch + options.num_epochs),
      rank_(options.rank),
      world_(options.world),
      epoch_(options.first_epoch),
      next_update_(options.first_global_batch) {
  // Only the last global batch of an epoch can be short, so those before are all alike.
  const int64_t share = shard({0, global_batch_}, rank_, world_).size();
  index_ = next_update_ * num_batches(share, batch_, false);
}

bool Tickets::cut_next_update() {
  pieces_.clear();
  next_piece_ = 0;
  while (pieces_.empty()) {
    if (next_update_ >= updates_) {
      ++epoch_;
      next_update_ = 0;
      index_ = 0;
    }
    if (epoch_ >= end_epoch_ || updates_ == 0) return false;
    const auto global = batch_range(order_.num_records, global_batch_, next_update_++);
    pieces_ = pieces(shard(global, rank_, world_), batch_);
  }
  return true;
}

std::optional<Ticket> Tickets::take() {
  if (next_piece_ == pieces_.size() && !cut_next_update()) return std::nullopt;
  return Ticket{number_++, epoch_, next_update_ - 1, index_++, pieces_[next_piece_++]};
}

}  // namespace stoker::data::detail
