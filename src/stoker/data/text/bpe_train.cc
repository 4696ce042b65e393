#include "stoker/data/text/bpe_train.h"

#include <algorithm>
#include <array>
#include <queue>

#include "stoker/base/strings.h"
#include "stoker/data/text/detail/gpt2_pattern.h"
#include "stoker/data/text/detail/special.h"
#include "stoker/data/text/utf8.h"

namespace stoker::data {

namespace {
/// Two neighbours as one number: sorts by the left id, then the right.
using Pair = uint64_t;
Pair pair_of(int32_t left, int32_t right) {
  return static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right);
}
int32_t left_of(Pair pair) { return static_cast<int32_t>(pair >> 32); }
int32_t right_of(Pair pair) { return static_cast<int32_t>(pair & UINT32_MAX); }

struct Word {
  std::vector<int32_t> ids;
  int64_t count;
};

struct PairCount {
  int64_t count = 0;
  std::vector<uint32_t> words;  // Where it was seen; a word may have lost it since.
};

struct Candidate {
  int64_t count;
  Pair pair;
  bool operator<(const Candidate& other) const {
    return count != other.count ? count < other.count : pair > other.pair;
  }
};

/// All words with their current tokens, and how often each pair of neighbours is in them.
class Corpus {
 public:
  void add(Word word) {
    const auto index = static_cast<uint32_t>(words_.size());
    words_.push_back(std::move(word));
    const Word& added = words_.back();
    for (size_t i = 0; i + 1 < added.ids.size(); ++i)
      count(pair_of(added.ids[i], added.ids[i + 1]), added.count, index);
  }

  void offer_all() {
    for (const auto& [pair, about] : pairs_) candidates_.push({about.count, pair});
  }

  /// The most frequent pair, or one with count 0 when there is none.
  Candidate take_best() {
    while (!candidates_.empty()) {
      Candidate best = candidates_.top();
      candidates_.pop();
      const int64_t now = pairs_[best.pair].count;
      if (now == best.count) return best;
      // Counts only fall between offers, so the pair goes back with the lower one.
      if (now > 0) candidates_.push({now, best.pair});
    }
    return {0, 0};
  }

  /// Makes `id` of the pair wherever it is.
  void merge(Pair pair, int32_t id) {
    const std::vector<uint32_t> places = std::move(pairs_[pair].words);
    pairs_.erase(pair);
    raised_.clear();
    for (const uint32_t index : places) merge_in(index, pair, id);
    std::ranges::sort(raised_);
    raised_.erase(std::unique(raised_.begin(), raised_.end()), raised_.end());
    for (const Pair raised : raised_) {
      const int64_t now = pairs_[raised].count;
      if (now > 0) candidates_.push({now, raised});
    }
  }

 private:
  void count(Pair pair, int64_t change, uint32_t word) {
    PairCount& about = pairs_[pair];
    about.count += change;
    if (change > 0 && (about.words.empty() || about.words.back() != word))
      about.words.push_back(word);
  }

  void merge_in(uint32_t index, Pair pair, int32_t id) {
    Word& word = words_[index];
    std::vector<int32_t>& ids = word.ids;
    size_t out = 0;
    for (size_t i = 0; i < ids.size(); ++i) {
      if (i + 1 < ids.size() && pair_of(ids[i], ids[i + 1]) == pair) {
        if (out > 0) replace(ids[out - 1], ids[i], ids[out - 1], id, word, index, pair);
        if (i + 2 < ids.size())
          replace(ids[i + 1], ids[i + 2], id, ids[i + 2], word, index, pair);
        ids[out++] = id;
        ++i;
      } else {
        ids[out++] = ids[i];
      }
    }
    ids.resize(out);
  }

  /// One pair of neighbours has become another.
  void replace(int32_t old_left, int32_t old_right, int32_t left, int32_t right,
               const Word& word, uint32_t index, Pair merged) {
    const Pair old = pair_of(old_left, old_right);
    if (old != merged) count(old, -word.count, index);
    count(pair_of(left, right), word.count, index);
    raised_.push_back(pair_of(left, right));
  }

  std::vector<Word> words_;
  std::unordered_map<Pair, PairCount> pairs_;
  std::priority_queue<Candidate> candidates_;
  std::vector<Pair> raised_;
};

/// The tokens so far, with their ids.
class Tokens {
 public:
  int32_t add(const std::string& token) {
    const auto [place, added] = ids_.emplace(token, static_cast<int32_t>(all_.size()));
    if (added) all_.push_back(token);
    return place->second;
  }
  const std::string& operator[](int32_t id) const {
    return all_[static_cast<size_t>(id)];
  }
  size_t size() const { return all_.size(); }
  std::vector<std::string> take() { return std::move(all_); }

 private:
  std::vector<std::string> all_;
  std::unordered_map<std::string, int32_t> ids_;
};

/// The ids of the bytes, which are given in the order of their characters.
std::array<int32_t, 256> add_bytes(Tokens& tokens) {
  std::array<std::pair<std::string_view, size_t>, 256> sorted;
  for (size_t byte = 0; byte < 256; ++byte)
    sorted[byte] = {detail::byte_characters()[byte], byte};
  std::ranges::sort(sorted);
  std::array<int32_t, 256> ids{};
  for (const auto& [character, byte] : sorted)
    ids[byte] = tokens.add(std::string(character));
  return ids;
}
}  // namespace

BpeTrainer::BpeTrainer(BpeTrainOptions options) : options_(std::move(options)) {
  const size_t least = 256 + options_.special.size();
  if (options_.vocabulary_size < 0 ||
      static_cast<size_t>(options_.vocabulary_size) < least)
    throw Error(
        ErrorCode::kInvalid,
        cat("[text] vocabulary_size: expected at least ", least,
            " (256 bytes and the special tokens), got ", options_.vocabulary_size));
}

Status BpeTrainer::add(std::string_view text) {
  if (Status status = check_utf8(text); !status) return status;
  for (size_t at = 0; at < text.size();) {
    const size_t end = detail::gpt2_piece_end(text, at);
    ++counts_[std::string(text.substr(at, end - at))];
    at = end;
  }
  return Ok{};
}

std::unique_ptr<Tokenizer> BpeTrainer::train() const {
  Tokens tokens;
  for (const std::string& token : options_.special) tokens.add(token);
  const std::array<int32_t, 256> bytes = add_bytes(tokens);
  Corpus corpus;
  for (const auto& [piece, count] : counts_) {
    Word word = {{}, count};
    for (const char byte : piece)
      word.ids.push_back(bytes[static_cast<unsigned char>(byte)]);
    corpus.add(std::move(word));
  }
  corpus.offer_all();
  std::vector<TokenPair> merges;
  while (tokens.size() < static_cast<size_t>(options_.vocabulary_size)) {
    const Candidate best = corpus.take_best();
    if (best.count < std::max<int64_t>(options_.min_frequency, 1)) break;
    const std::string left = tokens[left_of(best.pair)];
    const std::string right = tokens[right_of(best.pair)];
    merges.emplace_back(left, right);
    corpus.merge(best.pair, tokens.add(left + right));
  }
  return make_bpe({tokens.take(), "trained vocabulary"}, std::move(merges),
                  {options_.special});
}

}  // namespace stoker::data
