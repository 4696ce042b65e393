#pragma once

#include <filesystem>
#include <memory>

#include "stoker/data/text/tokenizer.h"

namespace stoker::data {

struct WordPieceOptions {
  /// Lower case and no accents, as in bert-base-uncased. A cased vocabulary wants false.
  bool lowercase = true;
  /// [CLS], [MASK] and so on in a text stand for themselves, as Hugging Face's tokenizers
  /// have it; false treats them as any other text, which data of strangers wants.
  bool special_in_text = true;
  /// A longer word becomes [UNK].
  int max_word_characters = 100;
};

/// BERT's tokenizer: splitting into words, then greedily the longest token of the
/// vocabulary
/// ("##" starts one inside a word), or [UNK] for a word that cannot be made (Devlin et
/// al., "BERT", 2018; Wu et al., "Google's Neural Machine Translation System", 2016). The
/// ids are those of Hugging Face's `BertWordPieceTokenizer`.
///
/// Throws Error(kData) if the vocabulary has no [UNK].
std::unique_ptr<Tokenizer> make_wordpiece(Vocabulary vocabulary,
                                          const WordPieceOptions& options = {});

/// From `vocab.txt`: one token a line.
std::unique_ptr<Tokenizer> load_wordpiece(const std::filesystem::path& vocabulary,
                                          const WordPieceOptions& options = {});

}  // namespace stoker::data
