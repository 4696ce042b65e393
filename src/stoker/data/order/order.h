#pragma once

#include <cstdint>
#include <vector>

namespace stoker::data {

/// Which record comes when, for a whole run: a pure function, no state and no permutation
/// in memory. A position is all that a checkpoint keeps of the data.
struct Order {
  int64_t num_records = 0;
  uint64_t seed = 0;
  bool shuffle = true;

  /// The record at `position` (0 .. num_records - 1) of `epoch`.
  int64_t record_at(int64_t epoch, int64_t position) const;
};

/// A stretch of positions: [begin, end).
struct PositionRange {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t size() const { return end - begin; }
};

/// Batches of an epoch. The last is smaller unless it is dropped.
int64_t num_batches(int64_t num_records, int64_t batch, bool drop_last);
/// Positions of batch `index` of an epoch.
PositionRange batch_range(int64_t num_records, int64_t batch, int64_t index);
/// The part of `range` that `rank` of `world` takes: consecutive, each position exactly
/// once, sizes differ by at most 1.
PositionRange shard(const PositionRange& range, int64_t rank, int64_t world);
/// `range` cut into consecutive pieces of at most `size`.
std::vector<PositionRange> pieces(const PositionRange& range, int64_t size);

/// Positions of an epoch for training on ranks that must take equally many: padded by
/// wrapping around, never an index >= num_records. Result for `rank`: ceil(n / world)
/// records.
std::vector<int64_t> padded_share(const Order& order, int64_t epoch, int64_t rank,
                                  int64_t world);

}  // namespace stoker::data
