#include "stoker/data/text/framing.h"

#include <algorithm>

#include "stoker/base/strings.h"

namespace stoker::data {

namespace {
/// What the frame leaves to the texts.
int64_t room(int64_t max_length, int64_t frame_size) {
  if (max_length < frame_size)
    throw Error(ErrorCode::kInvalid, cat("[text] max_length: expected at least ",
                                         frame_size, ", got ", max_length));
  return max_length - frame_size;
}

void append(FramedText& out, std::span<const int32_t> ids, int32_t separator,
            int32_t type) {
  out.ids.insert(out.ids.end(), ids.begin(), ids.end());
  out.ids.push_back(separator);
  out.types.resize(out.ids.size(), type);
}
}  // namespace

FrameTokens frame_tokens(const Vocabulary& vocabulary) {
  return {vocabulary.at("[CLS]"), vocabulary.at("[SEP]")};
}

FramedText frame(std::span<const int32_t> first, const FrameTokens& tokens,
                 int64_t max_length) {
  const int64_t left = std::min(room(max_length, 2), std::ssize(first));
  FramedText out = {{tokens.first}, {0}};
  append(out, first.first(static_cast<size_t>(left)), tokens.separator, 0);
  return out;
}

FramedText frame_pair(std::span<const int32_t> first, std::span<const int32_t> second,
                      const FrameTokens& tokens, int64_t max_length) {
  const int64_t left = room(max_length, 3);
  auto sizes = std::pair(std::ssize(first), std::ssize(second));
  if (sizes.first + sizes.second > left) {
    // Two long texts get half each; an odd token goes to the longer one, else the second.
    const int64_t half = left / 2;
    if (sizes.first <= half) {
      sizes.second = left - sizes.first;
    } else if (sizes.second <= half) {
      sizes.first = left - sizes.second;
    } else {
      const int64_t first_half = sizes.first > sizes.second ? left - half : half;
      sizes = {first_half, left - first_half};
    }
  }
  FramedText out = {{tokens.first}, {0}};
  append(out, first.first(static_cast<size_t>(sizes.first)), tokens.separator, 0);
  append(out, second.first(static_cast<size_t>(sizes.second)), tokens.separator, 1);
  return out;
}

}  // namespace stoker::data
