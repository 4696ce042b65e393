#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "stoker/base/error.h"
#include "stoker/data/text/bpe.h"
#include "stoker/data/text/bpe_train.h"
#include "stoker/data/text/characters.h"
#include "stoker/data/text/utf8.h"
#include "stoker/data/text/wordpiece.h"

namespace {
using namespace stoker::data;  // NOLINT(google-build-using-namespace)

/// What stands before the next NUL byte, which is taken off.
std::string take_part(std::string& input) {
  const size_t end = std::min(input.find('\0'), input.size());
  std::string part = input.substr(0, end);
  input.erase(0, end + 1);
  return part;
}

/// Ids are of the vocabulary, and none come from a text that is refused.
std::vector<int32_t> encode(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<int32_t> ids;
  const bool ok = tokenizer.encode(text, ids).ok();
  if (!ok && !ids.empty()) std::abort();
  if (ok && invalid_utf8_at(text)) std::abort();
  if (!tokenizer.decode(ids, true).ok()) std::abort();
  return ids;
}

void check_same_text(const Tokenizer& tokenizer, const std::string& text) {
  const std::vector<int32_t> ids = encode(tokenizer, text);
  if (ids.empty()) return;
  if (*tokenizer.decode(ids, false) != text) std::abort();
}

template <typename Run>
void run_or_refuse(const Run& run) {
  try {
    run();
  } catch (const stoker::Error& error) {
    if (error.code() != stoker::ErrorCode::kData) std::abort();
  }
}

void train(const std::string& text) {
  BpeTrainer trainer({.vocabulary_size = 270});
  if (trainer.add(text).ok()) check_same_text(*trainer.train(), text);
}
}  // namespace

/// A vocabulary (JSON), merges and a text, with NUL bytes between: encoded and, where
/// nothing may be lost, decoded to the same text; or refused.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string input(reinterpret_cast<const char*>(data), size);
  const std::string json = take_part(input);
  const std::string merges = take_part(input);
  const auto vocabulary = [&] { return parse_vocabulary_json(json, "fuzz.json"); };
  run_or_refuse([&] {
    for (const bool lowercase : {true, false})
      encode(*make_wordpiece(vocabulary(), {.lowercase = lowercase}), input);
  });
  run_or_refuse([&] {
    check_same_text(*make_bpe(vocabulary(), parse_merges(merges, "fuzz.txt")), input);
  });
  run_or_refuse([&] { check_same_text(*make_characters(characters_of(input)), input); });
  run_or_refuse([&] { encode(*make_characters(vocabulary(), "[UNK]"), input); });
  train(input);
  return 0;
}
