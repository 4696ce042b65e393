#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stoker::data::detail {

/// Keys as a tree over their bytes, in one array: the child of a node for a byte is at
/// the node's base + byte, and is its child if it says so (a double array: Aoe, "An
/// efficient digital search algorithm by using a double-array structure", 1989).
class Trie {
 public:
  /// A key and the value, >= 0, that is found with it.
  struct Entry {
    std::string_view key;
    int32_t value = 0;
  };
  static constexpr uint32_t kRoot = 0;
  static constexpr int32_t kNoValue = -1;

  /// Keys are not empty, each once.
  explicit Trie(std::vector<Entry> entries);

  /// Goes from `node` to its child for `byte`; false, and stays, if there is none.
  bool step(uint32_t& node, char byte) const {
    const uint32_t child = nodes_[node].base + static_cast<unsigned char>(byte);
    if (nodes_[child].parent != node) return false;
    node = child;
    return true;
  }
  /// The value of the key that ends at `node`, or kNoValue.
  int32_t value(uint32_t node) const { return nodes_[node].value; }
  /// The value of `key`, or kNoValue.
  int32_t find(std::string_view key) const;

 private:
  static constexpr uint32_t kUnused = UINT32_MAX;
  struct Node {
    uint32_t base = 0;
    uint32_t parent = kUnused;
    int32_t value = kNoValue;
  };
  struct Branch;
  void place(const std::vector<Entry>& entries, const Branch& branch,
             std::vector<Branch>& open);
  uint32_t free_base(const std::vector<unsigned char>& bytes);
  std::vector<Node> nodes_;
  uint32_t first_gap_ = 1;   // No free place lies before it.
  uint32_t first_room_ = 1;  // Where the search for several places starts.
};

}  // namespace stoker::data::detail
