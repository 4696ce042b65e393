#include "stoker/data/text/detail/trie.h"

#include <algorithm>

namespace stoker::data::detail {

/// Entries [begin, end) share their first `depth` bytes, which lead to `node`.
struct Trie::Branch {
  uint32_t node;
  size_t begin;
  size_t end;
  size_t depth;
};

Trie::Trie(std::vector<Entry> entries) {
  std::ranges::sort(entries, {}, &Entry::key);
  nodes_.resize(512);
  nodes_[kRoot].parent = kRoot;
  std::vector<Branch> open = {{kRoot, 0, entries.size(), 0}};
  for (size_t i = 0; i < open.size(); ++i) {
    const Branch branch = open[i];
    place(entries, branch, open);
  }
}

/// Gives the children of a branch their places, and opens a branch for each.
void Trie::place(const std::vector<Entry>& entries, const Branch& branch,
                 std::vector<Branch>& open) {
  size_t at = branch.begin;
  if (at < branch.end && entries[at].key.size() == branch.depth)
    nodes_[branch.node].value = entries[at++].value;
  if (at == branch.end) return;
  const auto byte_of = [&](size_t i) {
    return static_cast<unsigned char>(entries[i].key[branch.depth]);
  };
  std::vector<unsigned char> bytes;
  std::vector<size_t> begins;
  for (; at < branch.end; ++at) {
    if (!bytes.empty() && bytes.back() == byte_of(at)) continue;
    bytes.push_back(byte_of(at));
    begins.push_back(at);
  }
  begins.push_back(branch.end);
  const uint32_t base = free_base(bytes);
  nodes_[branch.node].base = base;
  for (size_t i = 0; i < bytes.size(); ++i) {
    nodes_[base + bytes[i]].parent = branch.node;
    open.push_back({base + bytes[i], begins[i], begins[i + 1], branch.depth + 1});
  }
}

/// A base > 0 whose places for `bytes` are all free. Single children fill the gaps;
/// brothers are looked for only from where there is room, or each search would walk over
/// all nodes.
uint32_t Trie::free_base(const std::vector<unsigned char>& bytes) {
  constexpr uint32_t kManyTries = 32;
  while (nodes_[first_gap_].parent != kUnused) ++first_gap_;
  first_room_ = std::max(first_room_, first_gap_);
  const uint32_t from = bytes.size() == 1 ? first_gap_ : first_room_;
  const uint32_t lowest = from > bytes[0] ? from - bytes[0] : 1;
  for (uint32_t base = lowest;; ++base) {
    if (base + 512 > nodes_.size()) nodes_.resize(nodes_.size() * 2);
    if (!std::ranges::all_of(bytes, [&](unsigned char byte) {
          return nodes_[base + byte].parent == kUnused;
        }))
      continue;
    if (bytes.size() > 1 && base - lowest > kManyTries) first_room_ = base + bytes[0];
    return base;
  }
}

int32_t Trie::find(std::string_view key) const {
  uint32_t node = kRoot;
  for (const char byte : key) {
    if (!step(node, byte)) return kNoValue;
  }
  return value(node);
}

}  // namespace stoker::data::detail
