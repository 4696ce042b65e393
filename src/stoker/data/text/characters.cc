#include "stoker/data/text/characters.h"

#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/text/utf8.h"

namespace stoker::data {

namespace {
class Characters : public Tokenizer {
 public:
  Characters(Vocabulary vocabulary, const std::string& unknown)
      : vocabulary_(std::move(vocabulary)), unknown_(unknown) {
    if (!unknown_.empty()) unknown_id_ = vocabulary_.at(unknown_);
    for (int32_t id = 0; id < vocabulary_.size(); ++id) {
      const std::string& token = vocabulary_.token(id);
      if (token == unknown_) continue;
      const char* at = token.data();
      ids_[next_character(at)] = id;
      if (at != token.data() + token.size())
        throw Error(ErrorCode::kData, cat("[text] ", vocabulary_.place(), ": token ", id,
                                          ": expected one character, got '", token, "'"));
    }
  }

  Status encode(std::string_view text, std::vector<int32_t>& ids) const override {
    if (Status status = check_utf8(text); !status) return status;
    const size_t num_before = ids.size();
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at < end) {
      const char* const from = at;
      const auto found = ids_.find(next_character(at));
      const int32_t id = found == ids_.end() ? unknown_id_ : found->second;
      if (id < 0) {
        ids.resize(num_before);
        return Failure{cat("byte ", from - text.data(), ": expected a character of ",
                           vocabulary_.place(), ", got '", std::string(from, at), "'")};
      }
      ids.push_back(id);
    }
    return Ok{};
  }

  Result<std::string> decode(std::span<const int32_t> ids,
                             bool skip_special) const override {
    if (const Status status = check_ids(ids, vocabulary_.size()); !status)
      return Failure{status.reason()};
    std::string text;
    for (const int32_t id : ids) {
      if (!skip_special || id != unknown_id_) text += vocabulary_.token(id);
    }
    return text;
  }

  const Vocabulary& vocabulary() const override { return vocabulary_; }

  void save(const std::filesystem::path& folder) const override {
    write_vocabulary_json(vocabulary_, folder / "vocab.json");
    const nlohmann::json config = {{"tokenizer_class", "Characters"},
                                   {"unk_token", unknown_}};
    write_file_atomically(folder / "tokenizer_config.json", config.dump(1) + "\n");
  }

 private:
  Vocabulary vocabulary_;
  std::string unknown_;
  int32_t unknown_id_ = -1;
  std::unordered_map<char32_t, int32_t> ids_;
};
}  // namespace

std::unique_ptr<Tokenizer> make_characters(Vocabulary vocabulary,
                                           const std::string& unknown) {
  return std::make_unique<Characters>(std::move(vocabulary), unknown);
}

Vocabulary characters_of(std::string_view text, const std::string& unknown) {
  if (const Status status = check_utf8(text); !status)
    throw Error(ErrorCode::kData, cat("[text] characters: ", status.reason()));
  std::set<char32_t> seen;
  const char* at = text.data();
  while (at < text.data() + text.size()) seen.insert(next_character(at));
  std::vector<std::string> tokens;
  if (!unknown.empty()) tokens.push_back(unknown);
  for (const char32_t character : seen) append_utf8(tokens.emplace_back(), character);
  return {std::move(tokens), "characters"};
}

std::unique_ptr<Tokenizer> load_characters(const std::filesystem::path& vocabulary,
                                           const std::string& unknown) {
  return make_characters(read_vocabulary_json(vocabulary), unknown);
}

}  // namespace stoker::data
