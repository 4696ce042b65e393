#include "stoker/data/text/bpe.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/text/detail/gpt2_pattern.h"
#include "stoker/data/text/detail/merges.h"
#include "stoker/data/text/detail/special.h"
#include "stoker/data/text/detail/trie.h"
#include "stoker/data/text/utf8.h"

namespace stoker::data {

namespace {
using detail::Trie;

/// The bytes that a written token stands for; nothing if it is not written with the
/// characters of bytes.
std::optional<std::string> bytes_of(const std::string& token) {
  std::string bytes;
  const char* at = token.data();
  const char* const end = at + token.size();
  while (at < end) {
    const int byte = detail::byte_of_character(next_character(at));
    if (byte < 0) return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

class BytePairEncoding : public Tokenizer {
 public:
  BytePairEncoding(Vocabulary vocabulary, std::vector<TokenPair> merges,
                   const BytePairOptions& options, const std::string& place)
      : vocabulary_(std::move(vocabulary)),
        merges_(std::move(merges)),
        special_(vocabulary_, options.special),
        table_(merges_.size()) {
    for (size_t byte = 0; byte < 256; ++byte)
      byte_ids_[byte] =
          vocabulary_.find(detail::byte_characters()[byte]).value_or(kNoToken);
    for (size_t rank = 0; rank < merges_.size(); ++rank) add_merge(rank, place);
    for (const std::string& token : vocabulary_.tokens())
      bytes_.push_back(bytes_of(token).value_or(token));
    whole_.emplace(whole_tokens());
  }

  Status encode(std::string_view text, std::vector<int32_t>& ids) const override {
    if (Status status = check_utf8(text); !status) return status;
    const size_t num_before = ids.size();
    Scratch scratch;
    std::string_view missing;
    const auto encode_text = [&](std::string_view piece) {
      for (size_t at = 0; at < piece.size() && missing.empty();) {
        const size_t end = detail::gpt2_piece_end(piece, at);
        missing = encode_piece(piece.substr(at, end - at), ids, scratch);
        at = end;
      }
    };
    detail::split_special(text, special_, encode_text,
                          [&](int32_t id) { ids.push_back(id); });
    if (missing.empty()) return Ok{};
    ids.resize(num_before);
    const auto byte = static_cast<unsigned char>(missing[0]);
    return Failure{cat("byte ", missing.data() - text.data(), ": expected a byte of ",
                       vocabulary_.place(), ", got ", static_cast<int>(byte),
                       ", which has no token '", detail::byte_characters()[byte], "'")};
  }

  Result<std::string> decode(std::span<const int32_t> ids,
                             bool skip_special) const override {
    if (const Status status = check_ids(ids, vocabulary_.size()); !status)
      return Failure{status.reason()};
    std::string bytes;
    for (const int32_t id : ids) {
      if (skip_special && special_.contains(id)) continue;
      bytes += bytes_[static_cast<size_t>(id)];
    }
    return repair_utf8(bytes);
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }

  void save(const std::filesystem::path& folder) const override {
    write_vocabulary_json(vocabulary_, folder / "vocab.json");
    std::string text = "#version: 0.2\n";
    for (const auto& [left, right] : merges_) text += cat(left, " ", right, "\n");
    write_file_atomically(folder / "merges.txt", text);
    nlohmann::json special = nlohmann::json::object();
    for (const std::string& name : special_.names())
      special[std::to_string(vocabulary_.at(name))] = {{"content", name},
                                                       {"special", true}};
    const nlohmann::json config = {{"tokenizer_class", "GPT2Tokenizer"},
                                   {"add_prefix_space", false},
                                   {"added_tokens_decoder", special}};
    write_file_atomically(folder / "tokenizer_config.json", config.dump(1) + "\n");
  }

 private:
  static constexpr int32_t kNoToken = -1;
  struct Scratch {
    std::vector<int32_t> ids;
    detail::MergeScratch merge;
  };

  void add_merge(size_t rank, const std::string& place) {
    const std::string& left = merges_[rank].first;
    const std::string& right = merges_[rank].second;
    const auto id = [&](const std::string& token) {
      if (const auto found = vocabulary_.find(token)) return *found;
      throw Error(ErrorCode::kData, cat("[text] ", place, ": merge ", rank + 1, " ('",
                                        left, " ", right, "'): expected tokens of ",
                                        vocabulary_.place(), ", got '", token, "'"));
    };
    const detail::Merge merge = {static_cast<uint32_t>(rank), id(left + right)};
    if (!table_.insert(id(left), id(right), merge))
      throw Error(ErrorCode::kData,
                  cat("[text] ", place, ": merge ", rank + 1,
                      ": expected each pair once, got '", left, " ", right, "' again"));
  }

  /// The tokens that merges make of their own bytes: these need no merging when met.
  std::vector<Trie::Entry> whole_tokens() const {
    std::vector<Trie::Entry> entries;
    Scratch scratch;
    for (int32_t id = 0; id < vocabulary_.size(); ++id) {
      const std::string& bytes = bytes_[static_cast<size_t>(id)];
      if (!start(bytes, scratch.ids).empty()) continue;
      detail::merge_all(table_, scratch.ids, scratch.merge);
      if (scratch.ids.size() == 1 && scratch.ids[0] == id) entries.push_back({bytes, id});
    }
    return entries;
  }

  /// The ids of the single bytes. What it returns starts with the first byte that has
  /// none.
  std::string_view start(std::string_view bytes, std::vector<int32_t>& ids) const {
    ids.clear();
    for (size_t i = 0; i < bytes.size(); ++i) {
      ids.push_back(byte_ids_[static_cast<unsigned char>(bytes[i])]);
      if (ids.back() == kNoToken) return bytes.substr(i);
    }
    return {};
  }

  std::string_view encode_piece(std::string_view piece, std::vector<int32_t>& ids,
                                Scratch& scratch) const {
    if (const int32_t id = whole_->find(piece); id != Trie::kNoValue) {
      ids.push_back(id);
      return {};
    }
    const std::string_view missing = start(piece, scratch.ids);
    if (!missing.empty()) return missing;
    detail::merge_all(table_, scratch.ids, scratch.merge);
    ids.insert(ids.end(), scratch.ids.begin(), scratch.ids.end());
    return {};
  }

  Vocabulary vocabulary_;
  std::vector<TokenPair> merges_;
  detail::SpecialTokens special_;
  detail::MergeTable table_;
  std::array<int32_t, 256> byte_ids_{};
  std::vector<std::string> bytes_;  // Of each token.
  std::optional<Trie> whole_;
};
}  // namespace

std::vector<TokenPair> parse_merges(std::string_view text, const std::string& place) {
  std::vector<TokenPair> merges;
  size_t number = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (number == 1 && line.starts_with("#version")) continue;
    const size_t space = line.find(' ');
    if (space == std::string_view::npos || space == 0 || space + 1 == line.size() ||
        line.find(' ', space + 1) != std::string_view::npos)
      throw Error(ErrorCode::kData,
                  cat("[text] ", place, ":", number,
                      ": expected two tokens with a space between, got '", line, "'"));
    merges.emplace_back(line.substr(0, space), line.substr(space + 1));
  }
  return merges;
}

std::unique_ptr<Tokenizer> make_bpe(Vocabulary vocabulary, std::vector<TokenPair> merges,
                                    const BytePairOptions& options,
                                    const std::string& place) {
  return std::make_unique<BytePairEncoding>(std::move(vocabulary), std::move(merges),
                                            options, place);
}

std::unique_ptr<Tokenizer> load_bpe(const std::filesystem::path& vocabulary,
                                    const std::filesystem::path& merges,
                                    const BytePairOptions& options) {
  return make_bpe(read_vocabulary_json(vocabulary),
                  parse_merges(read_file(merges), merges.string()), options,
                  merges.string());
}

}  // namespace stoker::data
