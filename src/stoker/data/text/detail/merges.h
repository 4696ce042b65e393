#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stoker::data::detail {

/// What becomes of two neighbouring tokens.
struct Merge {
  uint32_t rank = UINT32_MAX;  ///< The lowest goes first; UINT32_MAX: nothing.
  int32_t id = -1;
};

/// Pairs of ids and their merges: a hash table in one array.
class MergeTable {
 public:
  explicit MergeTable(size_t num_merges);

  /// False, and changes nothing, if the pair is there.
  bool insert(int32_t left, int32_t right, Merge merge);
  Merge find(int32_t left, int32_t right) const {
    const uint64_t key = key_of(left, right);
    size_t at = place_of(key);
    while (slots_[at].key != key && slots_[at].key != kEmpty) at = (at + 1) & mask_;
    return slots_[at].merge;
  }

 private:
  static constexpr uint64_t kEmpty = UINT64_MAX;
  struct Slot {
    uint64_t key = kEmpty;
    Merge merge;
  };
  static uint64_t key_of(int32_t left, int32_t right) {
    return static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32 |
           static_cast<uint32_t>(right);
  }
  size_t place_of(uint64_t key) const {
    return static_cast<size_t>((key * 0x9E3779B97F4A7C15) >> 20) & mask_;
  }
  std::vector<Slot> slots_;
  size_t mask_;
};

/// Memory that one merge_all() leaves to the next.
struct MergeScratch {
  struct Symbol {
    int32_t id;
    int32_t previous;
    int32_t next;  ///< -1: none. A symbol merged into its left neighbour has id -1.
  };
  struct Candidate {
    uint32_t rank;
    int32_t at;
    int32_t id;
  };
  std::vector<Symbol> symbols;
  std::vector<Candidate> heap;
  std::vector<uint32_t> ranks;
};

/// Merges neighbours until no pair of them is in the table: always the pair of the lowest
/// rank, the leftmost of those. Time grows with n log n.
void merge_all(const MergeTable& table, std::vector<int32_t>& ids, MergeScratch& scratch);

}  // namespace stoker::data::detail
