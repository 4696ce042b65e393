#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "stoker/config/node.h"

namespace stoker::config {

/// The finite numbers that are allowed, both ends included unless they are open.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open_min = false;
  bool open_max = false;
};

/// Takes the known keys out of a table and refuses the rest.
///
/// Each `read` leaves the value as it is (the default) when the key is absent, and throws
/// Error(kInvalid) `[recipe] file:line: train.epochs: expected ..., got ...` when it does
/// not fit. `finish` refuses keys that nobody asked for, with the nearest known name.
/// Used for the recipe's sections and for the parameters of augmentations, methods and
/// models.
class Reader {
 public:
  /// `path` is the dotted name of the table, for messages: "train",
  /// "data.augment[0].hflip".
  Reader(const Node& table, std::string path);

  void read(const char* key, bool& value);
  void read(const char* key, int64_t& value, Range range = {});
  void read(const char* key, uint64_t& value);
  void read(const char* key, double& value, Range range = {});
  void read(const char* key, std::string& value);
  void read(const char* key, std::vector<double>& value, Range range = {});
  void read(const char* key, std::vector<std::string>& value);
  /// "auto" gives nothing, a number gives itself.
  void read(const char* key, std::optional<int64_t>& value, Range range = {});
  void read(const char* key, std::optional<double>& value, Range range = {});
  void read_choice(const char* key, std::string& value,
                   const std::vector<std::string>& allowed);
  /// The raw value, or nothing when absent.
  const Node* child(const char* key);
  bool has(const char* key) const;
  /// Says that `key` must be there.
  void require(const char* key);
  /// Refuses every key that was not asked for.
  void finish() const;
  /// Throws the error for a key: "expected <expected>, got <got> (hint)".
  [[noreturn]] void fail(const std::string& key, const std::string& expected,
                         const std::string& hint = "") const;

 private:
  const Node* take(const char* key);
  /// The value of a key unless it is absent or "auto", which empties `value`.
  template <typename T>
  const Node* take_unless_auto(const char* key, std::optional<T>& value);
  std::string name_of(const std::string& key) const;

  const Node& table_;
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace stoker::config
