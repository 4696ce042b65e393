#include <array>
#include <nlohmann/json.hpp>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/text/bpe.h"
#include "stoker/data/text/characters.h"
#include "stoker/data/text/tokenizer.h"
#include "stoker/data/text/wordpiece.h"

namespace stoker::data {
namespace fs = std::filesystem;

namespace {
using Json = nlohmann::json;

/// A key of tokenizer_config.json; a value of another type is an Error(kData).
template <typename T>
T get(const Json& config, const char* key, T fallback, const fs::path& folder) {
  const auto found = config.find(key);
  if (found == config.end() || found->is_null()) return fallback;
  try {
    return found->get<T>();
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::kData,
                cat("[text] ", (folder / "tokenizer_config.json").string(), ": ", key,
                    ": ", error.what()));
  }
}

std::unique_ptr<Tokenizer> open_wordpiece(const fs::path& folder, const Json& config) {
  WordPieceOptions options;
  options.lowercase = get(config, "do_lower_case", true, folder);
  return load_wordpiece(folder / "vocab.txt", options);
}

BytePairOptions bpe_options(const fs::path& folder, const Json& config,
                            const Vocabulary& vocabulary) {
  constexpr const char* kEndOfText = "<|endoftext|>";
  BytePairOptions options;
  const Json added = get(config, "added_tokens_decoder", Json::object(), folder);
  for (const Json& about : added)
    options.special.push_back(get(about, "content", std::string(), folder));
  if (!config.contains("added_tokens_decoder") && vocabulary.find(kEndOfText))
    options.special.emplace_back(kEndOfText);
  return options;
}

std::unique_ptr<Tokenizer> open_bpe(const fs::path& folder, const Json& config) {
  if (get(config, "add_prefix_space", false, folder))
    throw Error(ErrorCode::kInvalid,
                cat("[text] ", folder.string(),
                    ": add_prefix_space: expected false, got true (hint: put a space "
                    "before each text)"));
  Vocabulary vocabulary = read_vocabulary_json(folder / "vocab.json");
  const BytePairOptions options = bpe_options(folder, config, vocabulary);
  const fs::path merges = folder / "merges.txt";
  return make_bpe(std::move(vocabulary), parse_merges(read_file(merges), merges.string()),
                  options, merges.string());
}

std::unique_ptr<Tokenizer> open_characters(const fs::path& folder, const Json& config) {
  return load_characters(folder / "vocab.json",
                         get(config, "unk_token", std::string(), folder));
}

struct Kind {
  const char* name;
  const char* tokenizer_class;  // In tokenizer_config.json.
  const char* file;             // That is there without a tokenizer_config.json, too.
  std::unique_ptr<Tokenizer> (*opens)(const fs::path& folder, const Json& config);
};

constexpr std::array kKinds = {
    Kind{"wordpiece", "BertTokenizer", "vocab.txt", open_wordpiece},
    Kind{"bpe", "GPT2Tokenizer", "merges.txt", open_bpe},
    Kind{"characters", "Characters", "vocab.json", open_characters},
};

Json read_config(const fs::path& folder) {
  const fs::path path = folder / "tokenizer_config.json";
  if (!fs::exists(path)) return Json::object();
  Json config = Json::parse(read_file(path), nullptr, /*allow_exceptions=*/false);
  if (!config.is_object())
    throw Error(ErrorCode::kData,
                cat("[text] ", path.string(), ": expected a JSON object, got ",
                    config.is_discarded() ? "no JSON" : config.type_name()));
  return config;
}

const Kind& kind_of(const fs::path& folder, const Json& config) {
  std::string name = get(config, "tokenizer_class", std::string(), folder);
  if (name.ends_with("Fast")) name.resize(name.size() - 4);
  std::vector<std::string> known;
  for (const Kind& kind : kKinds) {
    if (name.empty() ? fs::exists(folder / kind.file) : name == kind.tokenizer_class)
      return kind;
    known.emplace_back(kind.tokenizer_class);
  }
  if (!name.empty())
    throw Error(ErrorCode::kInvalid,
                cat("[text] ", folder.string(), ": unknown tokenizer_class '", name, "'",
                    suggestion(name, known)));
  throw Error(ErrorCode::kInvalid,
              cat("[text] ", folder.string(),
                  ": expected vocab.txt (WordPiece), vocab.json with merges.txt (BPE) or "
                  "vocab.json (characters), got none of them"));
}
}  // namespace

std::vector<std::string> list_tokenizers() {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

std::unique_ptr<Tokenizer> open_tokenizer(const fs::path& path) {
  if (fs::is_regular_file(path)) return load_wordpiece(path);
  if (!fs::is_directory(path))
    throw Error(ErrorCode::kInvalid,
                cat("[text] ", path.string(),
                    ": expected a folder or a vocab.txt, got no such file"));
  const Json config = read_config(path);
  return kind_of(path, config).opens(path, config);
}

}  // namespace stoker::data
