#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stoker/data/text/bpe.h"

namespace stoker::data {

struct BpeTrainOptions {
  int32_t vocabulary_size = 30'000;
  /// A pair that is seen less often is not merged.
  int64_t min_frequency = 2;
  /// Tokens that get the first ids and are never merged.
  std::vector<std::string> special = {};
};

/// Learns byte pairs from texts: the most frequent pair of neighbours becomes a token,
/// again and again; of pairs equally frequent the one with the lower left id, then right
/// id. The same texts in any order give the same tokenizer, which is the one that Hugging
/// Face's `BpeTrainer` makes with the byte-level alphabet.
class BpeTrainer {
 public:
  /// Throws Error(kInvalid) if `vocabulary_size` does not hold the 256 bytes and the
  /// special tokens.
  explicit BpeTrainer(BpeTrainOptions options);

  /// Counts a text's pieces. Fails, and counts nothing, for bytes that are no UTF-8.
  Status add(std::string_view text);

  /// The tokenizer of what was added; smaller than asked for if the pairs ran out.
  std::unique_ptr<Tokenizer> train() const;

 private:
  BpeTrainOptions options_;
  std::unordered_map<std::string, int64_t> counts_;  // Of pieces.
};

}  // namespace stoker::data
