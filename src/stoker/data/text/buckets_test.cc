#include "stoker/data/text/buckets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "stoker/base/error.h"
#include "stoker/base/random.h"

namespace stoker::data {
namespace {
using Batches = std::vector<std::vector<int64_t>>;

std::vector<int64_t> first_n(int64_t n) {
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<int64_t> some_lengths(size_t n) {
  KeyedRandom random(1, 0, 0, 0);
  std::vector<int64_t> lengths(n);
  for (int64_t& length : lengths) length = 1 + static_cast<int64_t>(random.below(500));
  return lengths;
}

TEST(PaddedLength, IsTheNextMultipleWithinTheLimit) {
  EXPECT_EQ(padded_length(1, 8), 8);
  EXPECT_EQ(padded_length(8, 8), 8);
  EXPECT_EQ(padded_length(9, 8), 16);
  EXPECT_EQ(padded_length(0, 8), 0);
  EXPECT_EQ(padded_length(509, 8, 510), 510);
}

TEST(LengthBatches, PutLikeLengthsTogether) {
  const std::vector<int64_t> lengths = {5, 100, 7, 90, 6, 95};
  const Batches batches =
      length_batches(lengths, first_n(6), {.batch = 3, .shuffle = false});
  EXPECT_EQ(batches, (Batches{{0, 4, 2}, {3, 5, 1}}));
}

TEST(LengthBatches, HoldEachRecordOnce) {
  const auto lengths = some_lengths(1003);
  std::vector<int64_t> seen;
  for (const auto& batch :
       length_batches(lengths, first_n(1003), {.batch = 16, .window_batches = 7})) {
    EXPECT_LE(batch.size(), 16u);
    seen.insert(seen.end(), batch.begin(), batch.end());
  }
  std::ranges::sort(seen);
  EXPECT_EQ(seen, first_n(1003));
}

TEST(LengthBatches, StayWithinTheirWindow) {
  const auto batches =
      length_batches(some_lengths(200), first_n(200), {.batch = 10, .window_batches = 5});
  ASSERT_EQ(batches.size(), 20u);
  for (size_t i = 0; i < batches.size(); ++i) {
    for (const int64_t record : batches[i])
      EXPECT_EQ(record / 50, static_cast<int64_t>(i / 5));
  }
}

TEST(LengthBatches, KeepPaddedTokensBelowTheBound) {
  const std::vector<int64_t> lengths = {9, 16, 3, 900, 8, 8, 8};
  // 8 x 4 = 32; 9 and 16 are padded to 16, and 900 is alone.
  EXPECT_EQ(length_batches(lengths, first_n(7),
                           {.batch = 8, .max_tokens = 32, .shuffle = false}),
            (Batches{{2, 4, 5, 6}, {0, 1}, {3}}));
}

TEST(LengthBatches, AreKeyedBySeedAndEpoch) {
  const auto lengths = some_lengths(640);
  const auto make = [&](uint64_t seed, uint64_t epoch) {
    return length_batches(lengths, first_n(640), {.seed = seed, .epoch = epoch});
  };
  EXPECT_EQ(make(1, 1), make(1, 1));
  EXPECT_NE(make(1, 1), make(1, 2));
  EXPECT_NE(make(1, 1), make(2, 1));
  EXPECT_TRUE(std::ranges::is_permutation(make(1, 1), make(1, 2)));
}

TEST(LengthBatches, PadLessThanBatchesInOrder) {
  const auto lengths = some_lengths(3200);
  const auto in_order = length_batches(lengths, first_n(3200), {.window_batches = 1});
  const auto bucketed = length_batches(lengths, first_n(3200), {});
  EXPECT_GT(padding_share(lengths, in_order, 8), 0.4);
  EXPECT_LT(padding_share(lengths, bucketed, 8), 0.03);
}

TEST(PaddingShare, CountsByHand) {
  const std::vector<int64_t> lengths = {3, 5, 8};
  EXPECT_DOUBLE_EQ(padding_share(lengths, {{0, 1}, {2}}, 4), 1 - 16.0 / 24);
  EXPECT_EQ(padding_share(lengths, {}, 4), 0);
}

TEST(LengthBatches, RefuseWrongOptionsAndRecords) {
  const std::vector<int64_t> lengths = {1};
  const std::vector<int64_t> beyond = {1};
  EXPECT_THROW(length_batches(lengths, beyond, {}), Error);
  EXPECT_THROW(length_batches(lengths, first_n(1), {.batch = 0}), Error);
  EXPECT_THROW(length_batches(lengths, first_n(1), {.multiple = 0}), Error);
  EXPECT_THROW(length_batches(lengths, first_n(1), {.window_batches = 0}), Error);
}

}  // namespace
}  // namespace stoker::data
