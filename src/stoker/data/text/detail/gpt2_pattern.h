#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace stoker::data::detail {

/// The end of the piece that starts at `at` < text.size(), as GPT-2 cuts a text before
/// its merges: `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+|
/// ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+` (Radford et al., "Language Models are Unsupervised
/// Multitask Learners", 2019). The pieces make up the whole text, which must be
/// well-formed UTF-8.
size_t gpt2_piece_end(std::string_view text, size_t at);

/// GPT-2's printable character for each byte, as UTF-8: a vocabulary is written with
/// them.
const std::array<std::string_view, 256>& byte_characters();

/// The byte of a printable character, or -1.
int byte_of_character(char32_t character);

}  // namespace stoker::data::detail
