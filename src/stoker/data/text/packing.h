#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stoker::data {

/// Tokens [begin, begin + size) of a document, at place `at` of a block.
struct PackedSpan {
  int64_t document = 0;
  int64_t begin = 0;
  int64_t size = 0;
  int64_t at = 0;
  bool operator==(const PackedSpan&) const = default;
};

/// What fills one row of a language model's batch; what its spans leave free is padding.
using PackedBlock = std::vector<PackedSpan>;

/// Documents one after the other as a single stream, cut every `block_size` tokens: no
/// padding, documents are cut where a block ends.
class TokenStream {
 public:
  /// `lengths` are the documents' numbers of tokens, with the end-of-text token that the
  /// caller puts behind each. Throws Error(kInvalid) for a negative one or a block
  /// below 1.
  TokenStream(std::span<const int64_t> lengths, int64_t block_size);

  int64_t num_tokens() const { return ends_.empty() ? 0 : ends_.back(); }
  /// Full blocks; the rest of the stream, less than a block, is one more if kept.
  int64_t num_blocks(bool keep_rest) const;
  /// Found by a binary search: no block needs the ones before it.
  PackedBlock block(int64_t index) const;

 private:
  std::vector<int64_t> ends_;  // Of each document, in the stream.
  int64_t block_size_;
};

/// Blocks of whole documents, by best fit: the longest document first, each into the
/// fullest block that still has room (Ding et al., "Fewer Truncations Improve Language
/// Modeling", 2024). Documents longer than a block are cut into full blocks and a rest.
/// Each token is in exactly one span; empty documents are in none. Equal lengths keep
/// their order.
std::vector<PackedBlock> pack_whole(std::span<const int64_t> lengths, int64_t block_size);

/// Position of each token within its span, 0 for padding: `block_size` numbers.
std::vector<int32_t> packed_positions(const PackedBlock& block, int64_t block_size);

/// Which span of the block a token is in, counted from 0, and -1 for padding: attention
/// stays within equal numbers.
std::vector<int32_t> packed_segments(const PackedBlock& block, int64_t block_size);

}  // namespace stoker::data
