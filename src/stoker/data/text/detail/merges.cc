#include "stoker/data/text/detail/merges.h"

#include <algorithm>
#include <bit>

namespace stoker::data::detail {

namespace {
constexpr size_t kShort = 40;  // Up to here a look at all ranks is faster than a heap.

using Symbol = MergeScratch::Symbol;
using Candidate = MergeScratch::Candidate;

void merge_short(const MergeTable& table, std::vector<int32_t>& ids,
                 std::vector<uint32_t>& ranks) {
  ranks.clear();
  for (size_t i = 0; i + 1 < ids.size(); ++i)
    ranks.push_back(table.find(ids[i], ids[i + 1]).rank);
  while (!ranks.empty()) {
    const auto lowest = std::ranges::min_element(ranks);
    if (*lowest == UINT32_MAX) return;
    const auto at = lowest - ranks.begin();
    const auto i = static_cast<size_t>(at);
    ids[i] = table.find(ids[i], ids[i + 1]).id;
    ids.erase(ids.begin() + at + 1);
    ranks.erase(lowest);
    if (i > 0) ranks[i - 1] = table.find(ids[i - 1], ids[i]).rank;
    if (i < ranks.size()) ranks[i] = table.find(ids[i], ids[i + 1]).rank;
  }
}

bool later(const Candidate& a, const Candidate& b) {
  return a.rank != b.rank ? a.rank > b.rank : a.at > b.at;
}

class LongMerge {
 public:
  LongMerge(const MergeTable& table, MergeScratch& scratch)
      : table_(table), symbols_(scratch.symbols), heap_(scratch.heap) {
    symbols_.clear();
    heap_.clear();
  }

  void run(std::vector<int32_t>& ids) {
    const auto n = static_cast<int32_t>(ids.size());
    for (int32_t i = 0; i < n; ++i)
      symbols_.push_back({ids[static_cast<size_t>(i)], i - 1, i + 1 < n ? i + 1 : -1});
    for (int32_t i = 0; i + 1 < n; ++i) offer(i);
    while (!heap_.empty()) {
      const Candidate candidate = heap_.front();
      std::ranges::pop_heap(heap_, later);
      heap_.pop_back();
      if (still_holds(candidate)) take(candidate);
    }
    ids.clear();
    for (const Symbol& symbol : symbols_) {
      if (symbol.id >= 0) ids.push_back(symbol.id);
    }
  }

 private:
  Symbol& symbol(int32_t at) { return symbols_[static_cast<size_t>(at)]; }

  void offer(int32_t at) {
    const int32_t next = symbol(at).next;
    const Merge merge = table_.find(symbol(at).id, symbol(next).id);
    if (merge.rank == UINT32_MAX) return;
    heap_.push_back({merge.rank, at, merge.id});
    std::ranges::push_heap(heap_, later);
  }

  /// Ranks are of one pair each, so the same rank means the same two tokens.
  bool still_holds(const Candidate& candidate) {
    const Symbol& left = symbol(candidate.at);
    if (left.id < 0 || left.next < 0) return false;
    return table_.find(left.id, symbol(left.next).id).rank == candidate.rank;
  }

  void take(const Candidate& candidate) {
    Symbol& left = symbol(candidate.at);
    Symbol& right = symbol(left.next);
    left.id = candidate.id;
    left.next = right.next;
    right.id = -1;
    if (left.next >= 0) {
      symbol(left.next).previous = candidate.at;
      offer(candidate.at);
    }
    if (left.previous >= 0) offer(left.previous);
  }

  const MergeTable& table_;
  std::vector<Symbol>& symbols_;
  std::vector<Candidate>& heap_;
};
}  // namespace

MergeTable::MergeTable(size_t num_merges)
    : slots_(std::bit_ceil(2 * num_merges + 2)), mask_(slots_.size() - 1) {}

bool MergeTable::insert(int32_t left, int32_t right, Merge merge) {
  const uint64_t key = key_of(left, right);
  size_t at = place_of(key);
  while (slots_[at].key != kEmpty) {
    if (slots_[at].key == key) return false;
    at = (at + 1) & mask_;
  }
  slots_[at] = {key, merge};
  return true;
}

void merge_all(const MergeTable& table, std::vector<int32_t>& ids,
               MergeScratch& scratch) {
  if (ids.size() <= kShort) {
    merge_short(table, ids, scratch.ranks);
  } else {
    LongMerge(table, scratch).run(ids);
  }
}

}  // namespace stoker::data::detail
