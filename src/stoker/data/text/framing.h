#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "stoker/data/text/vocabulary.h"

namespace stoker::data {

/// The tokens that BERT puts around texts.
struct FrameTokens {
  int32_t first = 0;      ///< [CLS]
  int32_t separator = 0;  ///< [SEP]
};

/// [CLS] and [SEP] of a vocabulary; Error(kData) if it lacks them.
FrameTokens frame_tokens(const Vocabulary& vocabulary);

/// The input of a BERT for one text or two.
struct FramedText {
  std::vector<int32_t> ids;
  std::vector<int32_t> types;  ///< 0 for the first text with its frame, 1 for the second.
};

/// `[CLS] first [SEP]`, at most `max_length` ids long: the end of the text is cut off.
/// Throws Error(kInvalid) if the frame alone is longer.
FramedText frame(std::span<const int32_t> first, const FrameTokens& tokens,
                 int64_t max_length);

/// `[CLS] first [SEP] second [SEP]`, at most `max_length` ids long: the longer text is
/// cut until both fit ("longest first").
FramedText frame_pair(std::span<const int32_t> first, std::span<const int32_t> second,
                      const FrameTokens& tokens, int64_t max_length);

}  // namespace stoker::data
