#include "stoker/data/order/order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace stoker::data {
namespace {
using ::testing::ElementsAre;

std::vector<int64_t> whole(const Order& order, int64_t epoch) {
  std::vector<int64_t> records;
  for (int64_t i = 0; i < order.num_records; ++i)
    records.push_back(order.record_at(epoch, i));
  return records;
}

std::vector<int64_t> numbers(int64_t n) {
  std::vector<int64_t> all(static_cast<size_t>(n));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

double chi_square(const std::vector<int64_t>& counts) {
  const double total =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), int64_t{0}));
  const double expected = total / static_cast<double>(counts.size());
  double sum = 0;
  for (const int64_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    sum += difference * difference / expected;
  }
  return sum;
}

TEST(OrderTest, TakesEachRecordOncePerEpochWhateverTheCount) {
  std::vector<int64_t> sizes = numbers(300);
  for (const int64_t n : {1023, 1024, 1025, 4097, 50'000, 65'536, 65'537})
    sizes.push_back(n);
  for (const int64_t n : sizes) {
    for (const int64_t epoch : {0, 1}) {
      auto records = whole({n, 7, true}, epoch);
      std::sort(records.begin(), records.end());
      ASSERT_EQ(records, numbers(n)) << n;
    }
  }
}

TEST(OrderTest, WithoutShuffleIsTheOrderOfTheDataSet) {
  EXPECT_THAT(whole({4, 7, false}, 3), ElementsAre(0, 1, 2, 3));
}

TEST(OrderTest, GivesEveryEpochAndEverySeedAnOrderOfItsOwnAndTheSameAgain) {
  std::set<std::vector<int64_t>> orders;
  for (const uint64_t seed : {0, 1, 2}) {
    for (const int64_t epoch : {0, 1, 2}) orders.insert(whole({22, seed, true}, epoch));
  }
  EXPECT_EQ(orders.size(), 9U);
  EXPECT_EQ(whole({22, 1, true}, 2), whole({22, 1, true}, 2));
}

TEST(OrderTest, LeavesOutOtherRecordsInOtherEpochsWhenTheLastBatchIsDropped) {
  const Order order{22, 5, true};
  EXPECT_EQ(num_batches(22, 5, true), 4);
  std::set<int64_t> left_out;
  for (int64_t epoch = 0; epoch < 60; ++epoch) {
    left_out.insert(order.record_at(epoch, 20));
    left_out.insert(order.record_at(epoch, 21));
  }
  EXPECT_EQ(left_out.size(),
            22U);  // Each record stays in all 60 with (20/22)^60 = 0.3 %.
}

// 99.99 % points of the chi-square distribution with n - 1 degrees of freedom.
TEST(OrderTest, PutsEveryRecordFirstAndLastEquallyOften) {
  const std::map<int64_t, double> bounds = {{3, 18.42}, {5, 23.51}, {22, 53.96}};
  for (const auto& [n, bound] : bounds) {
    std::vector<int64_t> first(static_cast<size_t>(n));
    std::vector<int64_t> last(static_cast<size_t>(n));
    for (uint64_t seed = 0; seed < 20'000; ++seed) {
      const Order order{n, seed, true};
      ++first[static_cast<size_t>(order.record_at(0, 0))];
      ++last[static_cast<size_t>(order.record_at(0, n - 1))];
    }
    EXPECT_LT(chi_square(first), bound) << n;
    EXPECT_LT(chi_square(last), bound) << n;
  }
}

// 99.99 % points of the chi-square distribution with n! - 1 degrees of freedom.
TEST(OrderTest, MakesAllOrdersOfFewRecordsEquallyOften) {
  struct Case {
    int64_t records;
    size_t orders;
    double bound;
  };
  for (const auto& [records, orders, bound] :
       {Case{3, 6, 25.74}, Case{4, 24, 57.07}, Case{5, 120, 185.09}}) {
    std::map<std::vector<int64_t>, int64_t> counts;
    for (int64_t epoch = 0; epoch < 24'000; ++epoch)
      ++counts[whole({records, 3, true}, epoch)];
    std::vector<int64_t> values;
    for (const auto& [order, count] : counts) values.push_back(count);
    ASSERT_EQ(values.size(), orders);
    EXPECT_LT(chi_square(values), bound) << records;
  }
}

TEST(OrderTest, StaysInsideATrillionRecordsAndHasOneRecordForOne) {
  const Order order{1'000'000'000'000, 4, true};
  std::set<int64_t> seen;
  for (int64_t i = 0; i < 1000; ++i) {
    const int64_t record = order.record_at(1, i);
    ASSERT_GE(record, 0);
    ASSERT_LT(record, order.num_records);
    seen.insert(record);
  }
  EXPECT_EQ(seen.size(), 1000U);
  EXPECT_EQ((Order{1, 4, true}.record_at(9, 0)), 0);
}

// 100 shards of 100 records one after the other: 47.55 are expected in a batch of 64, and
// 37 is the smallest of 20,000 uniform draws.
TEST(OrderTest, DrawsABatchFromAllOverTheDataSet) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Order order{10'000, seed, true};
    std::set<int64_t> shards;
    for (int64_t i = 0; i < 64; ++i) shards.insert(order.record_at(0, i) / 100);
    EXPECT_GE(shards.size(), 37U) << seed;
  }
}

TEST(OrderTest, ReachesAnywhereInABillionRecordsAtOnce) {
  const Order order{1'000'000'000, 1, true};
  std::set<int64_t> seen;
  int64_t in_upper_half = 0;
  for (int64_t i = 0; i < 10'000; ++i) {
    const int64_t record = order.record_at(0, i * 99'991);
    ASSERT_GE(record, 0);
    ASSERT_LT(record, order.num_records);
    seen.insert(record);
    in_upper_half += record >= order.num_records / 2 ? 1 : 0;
  }
  EXPECT_EQ(seen.size(), 10'000U);
  EXPECT_NEAR(static_cast<double>(in_upper_half), 5000,
              200);  // Four standard deviations.
}

TEST(BatchTest, CountsTheBatchesOfAnEpoch) {
  EXPECT_EQ(num_batches(32, 8, false), 4);
  EXPECT_EQ(num_batches(10, 4, false), 3);
  EXPECT_EQ(num_batches(10, 4, true), 2);
  EXPECT_EQ(num_batches(3, 4, true), 0);
  EXPECT_EQ(num_batches(3, 4, false), 1);
  EXPECT_EQ(num_batches(0, 4, false), 0);
}

TEST(BatchTest, Cuts42SamplesInto16And16And10) {
  std::vector<int64_t> sizes;
  for (int64_t i = 0; i < num_batches(42, 16, false); ++i)
    sizes.push_back(batch_range(42, 16, i).size());
  EXPECT_THAT(sizes, ElementsAre(16, 16, 10));
}

TEST(BatchTest, LastBatchHoldsWhatIsLeft) {
  const PositionRange last = batch_range(10, 4, 2);
  EXPECT_EQ(last.begin, 8);
  EXPECT_EQ(last.end, 10);
}

TEST(ShardTest, CountsEachOf26SamplesOnceOnFourRanks) {
  std::vector<int64_t> sizes;
  int64_t next = 0;
  for (int64_t rank = 0; rank < 4; ++rank) {
    const PositionRange part = shard({0, 26}, rank, 4);
    EXPECT_EQ(part.begin, next);
    next = part.end;
    sizes.push_back(part.size());
  }
  EXPECT_EQ(next, 26);
  EXPECT_THAT(sizes, ElementsAre(6, 7, 6, 7));
}

TEST(ShardTest, IsTheSameMultisetOnAnyNumberOfRanks) {
  for (const int64_t world : {1, 2, 3, 4, 7, 64}) {
    std::vector<int64_t> positions;
    for (int64_t rank = 0; rank < world; ++rank) {
      const PositionRange part = shard({5, 31}, rank, world);
      for (int64_t i = part.begin; i < part.end; ++i) positions.push_back(i - 5);
    }
    EXPECT_EQ(positions, numbers(26)) << world;
  }
}

TEST(PiecesTest, CutsIntoPiecesOfAtMostTheSize) {
  std::vector<int64_t> sizes;
  for (const auto& piece : pieces({10, 26}, 6)) sizes.push_back(piece.size());
  EXPECT_THAT(sizes, ElementsAre(6, 6, 4));
  EXPECT_TRUE(pieces({4, 4}, 6).empty());
}

TEST(PaddedShareTest, WrapsAroundAndNeverLeavesTheDataSet) {
  const Order order{3, 9, true};
  std::map<int64_t, int64_t> counts;
  for (int64_t rank = 0; rank < 7; ++rank) {
    const auto share = padded_share(order, 0, rank, 7);
    ASSERT_EQ(share.size(), 1U);
    ASSERT_LT(share[0], 3);
    ++counts[share[0]];
  }
  std::vector<int64_t> values;
  for (const auto& [record, count] : counts) values.push_back(count);
  std::sort(values.begin(), values.end());
  EXPECT_THAT(values, ElementsAre(2, 2, 3));
}

TEST(PaddedShareTest, CoversEveryRecordWithEquallyManyOnEachRank) {
  const Order order{26, 9, true};
  std::set<int64_t> seen;
  for (int64_t rank = 0; rank < 4; ++rank) {
    const auto share = padded_share(order, 1, rank, 4);
    EXPECT_EQ(share.size(), 7U);
    seen.insert(share.begin(), share.end());
  }
  EXPECT_EQ(seen.size(), 26U);
}

}  // namespace
}  // namespace stoker::data
