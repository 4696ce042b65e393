#include "stoker/data/text/packing.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "stoker/base/error.h"
#include "stoker/base/random.h"

namespace stoker::data {
namespace {
using Lengths = std::vector<int64_t>;

int64_t tokens_of(const PackedBlock& block) {
  int64_t tokens = 0;
  for (const PackedSpan& span : block) tokens += span.size;
  return tokens;
}

/// How often each token of each document is in a span; spans must lie side by side.
std::vector<std::vector<int>> uses(const Lengths& lengths,
                                   const std::vector<PackedBlock>& blocks) {
  std::vector<std::vector<int>> used;
  for (const int64_t length : lengths) used.emplace_back(static_cast<size_t>(length), 0);
  for (const PackedBlock& block : blocks) {
    int64_t at = 0;
    for (const PackedSpan& span : block) {
      EXPECT_EQ(span.at, at);
      at += span.size;
      for (int64_t i = 0; i < span.size; ++i)
        ++used[static_cast<size_t>(span.document)][static_cast<size_t>(span.begin + i)];
    }
  }
  return used;
}

void expect_each_token_once(const Lengths& lengths,
                            const std::vector<PackedBlock>& blocks) {
  for (const auto& document : uses(lengths, blocks)) {
    EXPECT_TRUE(std::ranges::all_of(document, [](int count) { return count == 1; }));
  }
}

Lengths some_lengths() {
  KeyedRandom random(1, 0, 0, 0);
  Lengths lengths(500);
  for (int64_t& length : lengths) length = static_cast<int64_t>(random.below(90));
  return lengths;
}

TEST(TokenStream, CutsDocumentsWhereBlocksEnd) {
  const TokenStream stream(Lengths{3, 0, 6, 2}, 4);
  EXPECT_EQ(stream.num_tokens(), 11);
  EXPECT_EQ(stream.num_blocks(false), 2);
  EXPECT_EQ(stream.num_blocks(true), 3);
  EXPECT_EQ(stream.block(0), (PackedBlock{{0, 0, 3, 0}, {2, 0, 1, 3}}));
  EXPECT_EQ(stream.block(1), (PackedBlock{{2, 1, 4, 0}}));
  EXPECT_EQ(stream.block(2), (PackedBlock{{2, 5, 1, 0}, {3, 0, 2, 1}}));
  EXPECT_THROW(stream.block(3), Error);
  EXPECT_THROW(stream.block(-1), Error);
}

TEST(TokenStream, HoldsEachTokenOnceAndPadsOnlyTheRest) {
  const Lengths lengths = some_lengths();
  const TokenStream stream(lengths, 64);
  std::vector<PackedBlock> blocks;
  for (int64_t i = 0; i < stream.num_blocks(true); ++i) blocks.push_back(stream.block(i));
  expect_each_token_once(lengths, blocks);
  for (int64_t i = 0; i < stream.num_blocks(false); ++i)
    EXPECT_EQ(tokens_of(blocks[static_cast<size_t>(i)]), 64);
}

TEST(TokenStream, IsEmptyWithoutTokens) {
  EXPECT_EQ(TokenStream(Lengths{}, 4).num_blocks(true), 0);
  EXPECT_EQ(TokenStream(Lengths{0, 0}, 4).num_blocks(true), 0);
}

TEST(PackWhole, FillsTheFullestBlockThatHasRoom) {
  // 4 goes to the 5, which leaves more room in no other block; one 3 fills up the 7.
  EXPECT_EQ(pack_whole(Lengths{3, 7, 5, 3, 2, 4}, 10),
            (std::vector<PackedBlock>{{{1, 0, 7, 0}, {0, 0, 3, 7}},
                                      {{2, 0, 5, 0}, {5, 0, 4, 5}},
                                      {{3, 0, 3, 0}, {4, 0, 2, 3}}}));
}

TEST(PackWhole, CutsOnlyDocumentsLongerThanABlock) {
  const Lengths lengths = {10, 3, 4};
  const auto blocks = pack_whole(lengths, 4);
  EXPECT_EQ(blocks.size(), 5u);
  expect_each_token_once(lengths, blocks);
}

TEST(PackWhole, HoldsEachTokenOnceWithHardlyAnyPadding) {
  const Lengths lengths = some_lengths();
  const auto blocks = pack_whole(lengths, 128);
  expect_each_token_once(lengths, blocks);
  int64_t tokens = 0;
  for (const PackedBlock& block : blocks) {
    tokens += tokens_of(block);
    EXPECT_LE(tokens_of(block), 128);
  }
  EXPECT_LE(std::ssize(blocks), tokens / 128 + 2);
}

TEST(PackWhole, RefusesWrongSizes) {
  EXPECT_THROW(pack_whole(Lengths{1}, 0), Error);
  EXPECT_THROW(pack_whole(Lengths{-1}, 4), Error);
}

TEST(Packed, PositionsStartAgainAndSegmentsTellSpansApart) {
  const PackedBlock block = {{4, 0, 3, 0}, {1, 5, 2, 3}};
  EXPECT_EQ(packed_positions(block, 6), (std::vector<int32_t>{0, 1, 2, 0, 1, 0}));
  EXPECT_EQ(packed_segments(block, 6), (std::vector<int32_t>{0, 0, 0, 1, 1, -1}));
}

}  // namespace
}  // namespace stoker::data
