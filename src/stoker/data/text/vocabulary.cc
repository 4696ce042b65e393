#include "stoker/data/text/vocabulary.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/text/utf8.h"

namespace stoker::data {

namespace {
[[noreturn]] void fail(const std::string& place, const std::string& what) {
  throw Error(ErrorCode::kData, cat("[text] ", place, ": ", what));
}

using Json = nlohmann::json;

/// nlohmann's parser keeps the last of two equal keys without a word.
Json parse_object(std::string_view text, const std::string& place) {
  std::unordered_set<std::string> keys;
  const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::key && depth == 1 &&
        !keys.insert(parsed.get<std::string>()).second) {
      fail(place,
           cat("expected each token once, got '", parsed.get<std::string>(), "' again"));
    }
    return true;
  };
  Json object;
  try {
    object = Json::parse(text, check);
  } catch (const Json::exception& error) {
    fail(place, cat("expected JSON, got: ", error.what()));
  }
  if (!object.is_object())
    fail(place, cat("expected one object from token to id, got ", object.type_name()));
  return object;
}
}  // namespace

Vocabulary::Vocabulary(std::vector<std::string> tokens, const std::string& place)
    : tokens_(std::move(tokens)), place_(place) {
  if (tokens_.empty()) fail(place_, "expected tokens, got none");
  if (tokens_.size() > INT32_MAX)
    fail(place_, cat("expected at most 2^31 - 1 tokens, got ", tokens_.size()));
  ids_.reserve(tokens_.size());
  for (size_t i = 0; i < tokens_.size(); ++i) {
    const std::string& token = tokens_[i];
    if (token.empty()) fail(place_, cat("expected a token for id ", i, ", got none"));
    if (invalid_utf8_at(token))
      fail(place_, cat("expected UTF-8, got other bytes in the token of id ", i));
    const auto [known, added] = ids_.emplace(token, static_cast<int32_t>(i));
    if (!added)
      fail(place_, cat("expected each token once, got '", token, "' for the ids ",
                       known->second, " and ", i));
  }
}

std::optional<int32_t> Vocabulary::find(std::string_view token) const {
  const auto found = ids_.find(token);
  if (found == ids_.end()) return std::nullopt;
  return found->second;
}

int32_t Vocabulary::at(std::string_view token) const {
  if (const auto id = find(token)) return *id;
  const std::string near = nearest(token, tokens_);
  fail(place_, cat("expected the token '", token, "', got none",
                   near.empty() ? "" : cat("; the nearest is '", near, "'")));
}

Vocabulary read_vocabulary_lines(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  std::vector<std::string> tokens;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    tokens.push_back(text.substr(at, end - at));
    if (tokens.back().ends_with('\r')) tokens.back().pop_back();
    at = end + 1;
  }
  return {std::move(tokens), path.string()};
}

void write_vocabulary_lines(const Vocabulary& vocabulary,
                            const std::filesystem::path& path) {
  std::string text;
  for (const std::string& token : vocabulary.tokens()) {
    if (token.find('\n') != std::string::npos)
      fail(path.string(), "expected tokens without line ends, got one with");
    text += token;
    text += '\n';
  }
  write_file_atomically(path, text);
}

Vocabulary read_vocabulary_json(const std::filesystem::path& path) {
  return parse_vocabulary_json(read_file(path), path.string());
}

Vocabulary parse_vocabulary_json(std::string_view json, const std::string& place) {
  const Json object = parse_object(json, place);
  std::vector<std::string> tokens(object.size());
  std::vector<bool> taken(object.size());
  for (const auto& [token, id] : object.items()) {
    if (!id.is_number_integer() || id < 0 || id >= object.size())
      fail(place, cat("token '", token, "': expected an id in 0 .. ", object.size() - 1,
                      " (as many as there are tokens), got ", id.dump()));
    const auto index = id.get<size_t>();
    if (taken[index])
      fail(place, cat("expected each id once, got ", index, " for '", tokens[index],
                      "' and '", token, "'"));
    taken[index] = true;
    tokens[index] = token;
  }
  return {std::move(tokens), place};
}

void write_vocabulary_json(const Vocabulary& vocabulary,
                           const std::filesystem::path& path) {
  // By hand, since an object of nlohmann's would sort the tokens by name.
  std::string text = "{";
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    text += cat(id == 0 ? "" : ",\n ", Json(vocabulary.token(id)).dump(), ": ", id);
  }
  write_file_atomically(path, text + "}\n");
}

Status check_ids(std::span<const int32_t> ids, int64_t vocabulary_size) {
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= vocabulary_size)
      return Failure{cat("position ", i, ": expected an id of the vocabulary of ",
                         vocabulary_size, ", got ", ids[i])};
  }
  return Ok{};
}

}  // namespace stoker::data
