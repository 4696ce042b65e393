#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stoker/base/error.h"

namespace stoker::data {

/// Tokens and their ids, 0 .. size() - 1.
class Vocabulary {
 public:
  /// The token at index i gets id i. Throws Error(kData) with `place` (and the line,
  /// which is id + 1) for no tokens, an empty token, one that is there twice or is no
  /// UTF-8.
  Vocabulary(std::vector<std::string> tokens, const std::string& place);
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;
  ~Vocabulary() = default;

  int32_t size() const { return static_cast<int32_t>(tokens_.size()); }
  const std::string& token(int32_t id) const { return tokens_[static_cast<size_t>(id)]; }
  const std::vector<std::string>& tokens() const { return tokens_; }
  std::optional<int32_t> find(std::string_view token) const;
  /// The id of a token that must be there; Error(kData) with a suggestion otherwise.
  int32_t at(std::string_view token) const;
  const std::string& place() const { return place_; }

 private:
  std::vector<std::string> tokens_;
  std::unordered_map<std::string_view, int32_t> ids_;  // Views of tokens_.
  std::string place_;
};

/// BERT's form: one token a line, its id is the number of the line counted from 0.
Vocabulary read_vocabulary_lines(const std::filesystem::path& path);
void write_vocabulary_lines(const Vocabulary& vocabulary,
                            const std::filesystem::path& path);

/// GPT-2's form: one JSON object from token to id; the ids are 0 .. n - 1, each once.
Vocabulary read_vocabulary_json(const std::filesystem::path& path);
Vocabulary parse_vocabulary_json(std::string_view json, const std::string& place);
void write_vocabulary_json(const Vocabulary& vocabulary,
                           const std::filesystem::path& path);

/// Fails for the first id that is not in 0 .. `vocabulary_size` - 1: position, id and
/// size.
Status check_ids(std::span<const int32_t> ids, int64_t vocabulary_size);

}  // namespace stoker::data
