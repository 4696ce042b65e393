#include "stoker/data/text/packing.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

#include "stoker/base/error.h"
#include "stoker/base/strings.h"

namespace stoker::data {

namespace {
void check(std::span<const int64_t> lengths, int64_t block_size) {
  if (block_size < 1)
    throw Error(ErrorCode::kInvalid,
                cat("[text] block_size: expected at least 1, got ", block_size));
  for (size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] < 0)
      throw Error(ErrorCode::kInvalid,
                  cat("[text] document ", i, ": expected a length, got ", lengths[i]));
  }
}

/// Documents in pieces of at most a block, the longest first.
std::vector<PackedSpan> pieces_of(std::span<const int64_t> lengths, int64_t block_size) {
  std::vector<PackedSpan> pieces;
  for (int64_t document = 0; document < std::ssize(lengths); ++document) {
    const int64_t length = lengths[static_cast<size_t>(document)];
    for (int64_t begin = 0; begin < length; begin += block_size)
      pieces.push_back({document, begin, std::min(block_size, length - begin), 0});
  }
  std::ranges::stable_sort(pieces, std::ranges::greater(), &PackedSpan::size);
  return pieces;
}

template <typename Value>
std::vector<int32_t> spread(const PackedBlock& block, int64_t block_size, int32_t padding,
                            const Value& value) {
  std::vector<int32_t> out(static_cast<size_t>(block_size), padding);
  for (size_t number = 0; number < block.size(); ++number) {
    const PackedSpan& span = block[number];
    for (int64_t i = 0; i < span.size; ++i)
      out[static_cast<size_t>(span.at + i)] = value(number, i);
  }
  return out;
}
}  // namespace

TokenStream::TokenStream(std::span<const int64_t> lengths, int64_t block_size)
    : block_size_(block_size) {
  check(lengths, block_size);
  int64_t end = 0;
  for (const int64_t length : lengths) ends_.push_back(end += length);
}

int64_t TokenStream::num_blocks(bool keep_rest) const {
  return (num_tokens() + (keep_rest ? block_size_ - 1 : 0)) / block_size_;
}

PackedBlock TokenStream::block(int64_t index) const {
  if (index < 0 || index >= num_blocks(true))
    throw Error(ErrorCode::kInvalid,
                cat("[text] block: expected one of ", num_blocks(true), ", got ", index));
  const int64_t begin = index * block_size_;
  const int64_t end = std::min(begin + block_size_, num_tokens());
  PackedBlock block;
  auto document = std::ranges::upper_bound(ends_, begin);
  for (int64_t at = begin; at < end; ++document) {
    const int64_t number = document - ends_.begin();
    const int64_t first = number == 0 ? 0 : *(document - 1);
    const int64_t size = std::min(*document, end) - at;
    if (size > 0) block.push_back({number, at - first, size, at - begin});
    at += size;
  }
  return block;
}

std::vector<PackedBlock> pack_whole(std::span<const int64_t> lengths,
                                    int64_t block_size) {
  check(lengths, block_size);
  std::vector<PackedBlock> blocks;
  std::set<std::pair<int64_t, size_t>> open;  // (room left, block)
  for (PackedSpan piece : pieces_of(lengths, block_size)) {
    auto fit = open.lower_bound({piece.size, 0});
    int64_t room = block_size;
    size_t number = blocks.size();
    if (fit == open.end()) {
      blocks.emplace_back();
    } else {
      std::tie(room, number) = *fit;
      open.erase(fit);
    }
    piece.at = block_size - room;
    blocks[number].push_back(piece);
    if (room > piece.size) open.emplace(room - piece.size, number);
  }
  return blocks;
}

std::vector<int32_t> packed_positions(const PackedBlock& block, int64_t block_size) {
  return spread(block, block_size, 0,
                [](size_t, int64_t i) { return static_cast<int32_t>(i); });
}

std::vector<int32_t> packed_segments(const PackedBlock& block, int64_t block_size) {
  return spread(block, block_size, -1,
                [](size_t number, int64_t) { return static_cast<int32_t>(number); });
}

}  // namespace stoker::data
