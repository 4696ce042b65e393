#include "stoker/data/order/order.h"

#include <algorithm>
#include <bit>

#include "stoker/base/random.h"

namespace stoker::data {

namespace {
constexpr int kRounds = 6;
constexpr int kFewestHalfBits = 4;  // Small data sets too get well-mixed orders.

/// A keyed bijection on [0, 4^half_bits): a Feistel network (Luby and Rackoff, 1988).
uint64_t scramble(uint64_t value, int half_bits, uint64_t key) {
  const uint64_t mask = (uint64_t{1} << half_bits) - 1;
  uint64_t left = value >> half_bits;
  uint64_t right = value & mask;
  for (int round = 0; round < kRounds; ++round) {
    const uint64_t next = left ^ (mix(key + static_cast<uint64_t>(round), right) & mask);
    left = right;
    right = next;
  }
  return left << half_bits | right;
}
}  // namespace

int64_t Order::record_at(int64_t epoch, int64_t position) const {
  if (!shuffle) return position;
  const auto n = static_cast<uint64_t>(num_records);
  const int half_bits =
      std::max(kFewestHalfBits, static_cast<int>(std::bit_width(n - 1) + 1) / 2);
  const uint64_t key = mix(seed, static_cast<uint64_t>(epoch)) * kRounds;
  // Values outside walk on along their cycle until they come back inside.
  auto value = static_cast<uint64_t>(position);
  do {
    value = scramble(value, half_bits, key);
  } while (value >= n);
  return static_cast<int64_t>(value);
}

int64_t num_batches(int64_t num_records, int64_t batch, bool drop_last) {
  return drop_last ? num_records / batch : (num_records + batch - 1) / batch;
}

PositionRange batch_range(int64_t num_records, int64_t batch, int64_t index) {
  return {index * batch, std::min(num_records, (index + 1) * batch)};
}

PositionRange shard(const PositionRange& range, int64_t rank, int64_t world) {
  return {range.begin + range.size() * rank / world,
          range.begin + range.size() * (rank + 1) / world};
}

std::vector<PositionRange> pieces(const PositionRange& range, int64_t size) {
  std::vector<PositionRange> all;
  for (int64_t begin = range.begin; begin < range.end; begin += size) {
    all.push_back({begin, std::min(range.end, begin + size)});
  }
  return all;
}

std::vector<int64_t> padded_share(const Order& order, int64_t epoch, int64_t rank,
                                  int64_t world) {
  const int64_t each = (order.num_records + world - 1) / world;
  std::vector<int64_t> records;
  for (int64_t i = 0; i < each; ++i) {
    records.push_back(order.record_at(epoch, (rank * each + i) % order.num_records));
  }
  return records;
}

}  // namespace stoker::data
