#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stoker::data {

struct BucketOptions {
  /// At most so many records in a batch.
  int64_t batch = 32;
  /// At most so many tokens in a batch, padding counted; 0: no bound. A single record
  /// that is longer is a batch of its own.
  int64_t max_tokens = 0;
  /// Records are sorted by length among so many batches' worth of neighbours in the
  /// order.
  int64_t window_batches = 100;
  /// Batches are padded to a multiple of this.
  int64_t multiple = 8;
  /// The batches of a window come in a random order, keyed by seed, epoch and window.
  bool shuffle = true;
  uint64_t seed = 0;
  uint64_t epoch = 0;
};

/// What the longest of a batch is padded to: the next multiple, at most `limit` (0:
/// none).
int64_t padded_length(int64_t longest, int64_t multiple, int64_t limit = 0);

/// Batches of records of like length: `order` lists records (indices of `lengths`), and
/// each of them is in exactly one batch. The result is a function of the arguments alone.
/// Throws Error(kInvalid) for options that are not positive and for an index beyond
/// `lengths`.
std::vector<std::vector<int64_t>> length_batches(std::span<const int64_t> lengths,
                                                 std::span<const int64_t> order,
                                                 const BucketOptions& options);

/// The share of padding in the tokens of all batches, 0 to 1.
double padding_share(std::span<const int64_t> lengths,
                     const std::vector<std::vector<int64_t>>& batches, int64_t multiple);

}  // namespace stoker::data
