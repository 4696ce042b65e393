#include "stoker/base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace stoker {
namespace {

// Known answers of the Random123 distribution (kat_vectors, philox4x32 10).
TEST(Philox, GivesThePublishedBlocks) {
  using Block = std::array<uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(
      philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
      (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(
      philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
      (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(KeyedRandom, DependsOnEachPartOfItsKey) {
  std::set<uint64_t> firsts;
  for (uint64_t part = 0; part < 2; ++part) {
    firsts.insert(KeyedRandom(1 + part, 5, 6, 7).next_u64());
    firsts.insert(KeyedRandom(1, 5 + part, 6, 7).next_u64());
    firsts.insert(KeyedRandom(1, 5, 6 + part, 7).next_u64());
    firsts.insert(KeyedRandom(1, 5, 6, static_cast<uint32_t>(7 + part)).next_u64());
  }
  EXPECT_EQ(firsts.size(), 5U);
}

TEST(KeyedRandom, BelowStaysInRangeAndIsEven) {
  KeyedRandom random(1, 2, 3, 4);
  std::array<int, 3> counts{};
  for (int i = 0; i < 30000; ++i) ++counts.at(random.below(3));
  // Standard deviation of each count: sqrt(30000 / 3 * 2 / 3) = 82.
  for (const int count : counts) EXPECT_NEAR(count, 10000, 410);
}

TEST(KeyedRandom, UniformHasTheRightMeanAndNeverReachesOne) {
  KeyedRandom random(9, 0, 0, 0);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const float value = random.uniform();
    ASSERT_GE(value, 0.0F);
    ASSERT_LT(value, 1.0F);
    sum += value;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
}

}  // namespace
}  // namespace stoker
