#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stoker/base/error.h"
#include "stoker/data/text/vocabulary.h"

namespace stoker::data {

/// Text to token ids and back. A tokenizer does not change: any number of threads may
/// share one.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// Appends the ids of `text` (UTF-8), nothing before or after them. A failure (bytes
  /// that are no UTF-8, a character without a token) names the byte and leaves `ids` as
  /// it was.
  virtual Status encode(std::string_view text, std::vector<int32_t>& ids) const = 0;

  /// The text of `ids`; tokens such as [SEP] are left out if `skip_special`. Fails for an
  /// id beyond the vocabulary and names its position.
  virtual Result<std::string> decode(std::span<const int32_t> ids,
                                     bool skip_special) const = 0;

  virtual const Vocabulary& vocabulary() const = 0;

  /// Writes the files that open_tokenizer() reads, in the form that Hugging Face's
  /// transformers reads where it has that kind. Throws Error(kIo).
  virtual void save(const std::filesystem::path& folder) const = 0;
};

/// Opens what save() wrote, a folder with BERT's `vocab.txt` or GPT-2's `vocab.json` and
/// `merges.txt`, or a `vocab.txt` itself. Throws Error(kIo) for files that cannot be
/// read, Error(kData) for wrong content, Error(kInvalid) when there is no tokenizer at
/// `path`.
std::unique_ptr<Tokenizer> open_tokenizer(const std::filesystem::path& path);

/// "wordpiece", "bpe", "characters".
std::vector<std::string> list_tokenizers();

}  // namespace stoker::data
