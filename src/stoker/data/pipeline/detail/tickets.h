#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stoker/data/pipeline/loader.h"

namespace stoker::data::detail {

/// A micro-batch that a worker is to make.
struct Ticket {
  int64_t number = 0;  ///< Of all that this loader makes, from 0.
  int64_t epoch = 0;
  int64_t update = 0;
  int64_t index = 0;
  PositionRange range;
};

/// The micro-batches of one rank in order, from where the options start to the end of
/// their last epoch.
class Tickets {
 public:
  explicit Tickets(const LoaderOptions& options);
  std::optional<Ticket> take();

 private:
  /// Cuts the next global batch that has samples for this rank; false at the end.
  bool cut_next_update();

  const Order order_;
  const int64_t batch_;
  const int64_t global_batch_;
  const int64_t updates_;
  const int64_t end_epoch_;
  const int64_t rank_;
  const int64_t world_;
  int64_t epoch_;
  int64_t next_update_;
  int64_t index_;
  int64_t number_ = 0;
  std::vector<PositionRange> pieces_;
  size_t next_piece_ = 0;
};

}  // namespace stoker::data::detail
