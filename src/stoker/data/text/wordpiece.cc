#include "stoker/data/text/wordpiece.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/text/detail/bert_words.h"
#include "stoker/data/text/detail/special.h"
#include "stoker/data/text/detail/trie.h"
#include "stoker/data/text/utf8.h"

namespace stoker::data {

namespace {
using detail::Trie;
constexpr std::string_view kInside = "##";
constexpr std::array kSpecial = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};

std::vector<std::string> special_of(const Vocabulary& vocabulary) {
  std::vector<std::string> names;
  for (const char* name : kSpecial) {
    if (vocabulary.find(name)) names.emplace_back(name);
  }
  return names;
}

std::vector<Trie::Entry> entries_of(const Vocabulary& vocabulary) {
  std::vector<Trie::Entry> entries;
  for (int32_t id = 0; id < vocabulary.size(); ++id)
    entries.push_back({vocabulary.token(id), id});
  return entries;
}

/// What a writer puts before punctuation and short forms, put back.
std::string without_spaces_before_punctuation(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kChanges = {{
      {" .", "."},
      {" ?", "?"},
      {" !", "!"},
      {" ,", ","},
      {" ' ", "'"},
      {" n't", "n't"},
      {" 'm", "'m"},
      {" do not", " don't"},
      {" 's", "'s"},
      {" 've", "'ve"},
      {" 're", "'re"},
  }};
  for (const auto& [from, to] : kChanges) {
    for (size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  }
  return text;
}

class WordPiece : public Tokenizer {
 public:
  WordPiece(Vocabulary vocabulary, const WordPieceOptions& options)
      : vocabulary_(std::move(vocabulary)),
        options_(options),
        unknown_(vocabulary_.at("[UNK]")),
        special_(vocabulary_, special_of(vocabulary_)),
        trie_(entries_of(vocabulary_)),
        words_(options.lowercase) {
    uint32_t node = Trie::kRoot;
    has_inside_ =
        std::ranges::all_of(kInside, [&](char byte) { return trie_.step(node, byte); });
    inside_ = node;
  }

  Status encode(std::string_view text, std::vector<int32_t>& ids) const override {
    if (Status status = check_utf8(text); !status) return status;
    detail::WordBuffer word(static_cast<size_t>(options_.max_word_characters));
    const auto encode_text = [&](std::string_view piece) {
      words_.split(piece, word,
                   [&](const detail::WordBuffer& found) { encode_word(found, ids); });
    };
    if (options_.special_in_text) {
      detail::split_special(text, special_, encode_text,
                            [&](int32_t id) { ids.push_back(id); });
    } else {
      encode_text(text);
    }
    return Ok{};
  }

  Result<std::string> decode(std::span<const int32_t> ids,
                             bool skip_special) const override {
    if (const Status status = check_ids(ids, vocabulary_.size()); !status)
      return Failure{status.reason()};
    std::string text;
    bool first = true;
    for (const int32_t id : ids) {
      if (skip_special && special_.contains(id)) continue;
      std::string token = vocabulary_.token(id);
      if (!first && token.starts_with(kInside)) {
        token.erase(0, kInside.size());
      } else if (!first) {
        token.insert(0, " ");
      }
      text += without_spaces_before_punctuation(std::move(token));
      first = false;
    }
    return text;
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }

  void save(const std::filesystem::path& folder) const override {
    write_vocabulary_lines(vocabulary_, folder / "vocab.txt");
    const nlohmann::json config = {{"tokenizer_class", "BertTokenizer"},
                                   {"do_lower_case", options_.lowercase}};
    write_file_atomically(folder / "tokenizer_config.json", config.dump(1) + "\n");
  }

 private:
  void encode_word(const detail::WordBuffer& word, std::vector<int32_t>& ids) const {
    if (word.too_long()) return ids.push_back(unknown_);
    const std::string_view text = word.text();
    const size_t num_before = ids.size();
    uint32_t node = Trie::kRoot;
    for (size_t begin = 0; begin < text.size(); node = inside_) {
      const Match match = longest_from(node, text, begin);
      if (match.id == Trie::kNoValue || (begin > 0 && !has_inside_)) {
        ids.resize(num_before);
        return ids.push_back(unknown_);
      }
      ids.push_back(match.id);
      begin = match.end;
    }
  }

  struct Match {
    int32_t id = Trie::kNoValue;
    size_t end = 0;
  };
  Match longest_from(uint32_t node, std::string_view text, size_t begin) const {
    Match match;
    for (size_t i = begin; i < text.size() && trie_.step(node, text[i]); ++i) {
      if (trie_.value(node) != Trie::kNoValue) match = {trie_.value(node), i + 1};
    }
    return match;
  }

  Vocabulary vocabulary_;
  WordPieceOptions options_;
  int32_t unknown_;
  detail::SpecialTokens special_;
  Trie trie_;
  detail::BertWords words_;
  uint32_t inside_ = 0;
  bool has_inside_ = false;
};
}  // namespace

std::unique_ptr<Tokenizer> make_wordpiece(Vocabulary vocabulary,
                                          const WordPieceOptions& options) {
  if (options.max_word_characters < 1)
    throw Error(ErrorCode::kInvalid, cat("[text] max_word_characters: expected at least 1"
                                         ", got ",
                                         options.max_word_characters));
  return std::make_unique<WordPiece>(std::move(vocabulary), options);
}

std::unique_ptr<Tokenizer> load_wordpiece(const std::filesystem::path& vocabulary,
                                          const WordPieceOptions& options) {
  return make_wordpiece(read_vocabulary_lines(vocabulary), options);
}

}  // namespace stoker::data
