#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stoker/data/text/tokenizer.h"

namespace stoker::data {

struct BytePairOptions {
  /// Tokens that stand for themselves in a text, such as <|endoftext|>.
  std::vector<std::string> special = {};
};

/// Two tokens that become one, in the written form of the vocabulary.
using TokenPair = std::pair<std::string, std::string>;

/// GPT-2's byte-level byte pair encoding: a text is cut by GPT-2's pattern, each piece
/// starts as its bytes, and the merges join neighbours, the earliest merge of the list
/// first (Sennrich et al., "Neural Machine Translation of Rare Words with Subword Units",
/// 2016; Radford et al., 2019). The vocabulary is written with a printable character a
/// byte ("Ġ" is a space). The ids are those of Hugging Face's `ByteLevelBPETokenizer`.
///
/// Throws Error(kData), with `place` and its number, for a merge whose parts or whole are
/// not in the vocabulary, or that comes twice. A byte without a token fails when it is
/// met.
std::unique_ptr<Tokenizer> make_bpe(Vocabulary vocabulary, std::vector<TokenPair> merges,
                                    const BytePairOptions& options = {},
                                    const std::string& place = "merges");

/// From GPT-2's `vocab.json` and `merges.txt`.
std::unique_ptr<Tokenizer> load_bpe(const std::filesystem::path& vocabulary,
                                    const std::filesystem::path& merges,
                                    const BytePairOptions& options = {});

/// The pairs of a `merges.txt`: two tokens a line, the first line may be a `#version`.
/// Throws Error(kData) with the line.
std::vector<TokenPair> parse_merges(std::string_view text, const std::string& place);

}  // namespace stoker::data
