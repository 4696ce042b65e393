#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "stoker/data/text/tokenizer.h"

namespace stoker::data {

/// One token a character (code point). `unknown` is the token of all characters that the
/// vocabulary does not hold; without it (an empty name) such a character is a failure.
///
/// Throws Error(kData) for a token that is neither one character nor `unknown`.
std::unique_ptr<Tokenizer> make_characters(Vocabulary vocabulary,
                                           const std::string& unknown = "");

/// The characters of a text in the order of their code points, `unknown` (if not empty)
/// before them. Throws Error(kData) for a text that is empty or no UTF-8.
Vocabulary characters_of(std::string_view text, const std::string& unknown = "");

/// From a `vocab.json`.
std::unique_ptr<Tokenizer> load_characters(const std::filesystem::path& vocabulary,
                                           const std::string& unknown = "");

}  // namespace stoker::data
