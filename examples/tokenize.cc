// Learns byte pairs from a text, keeps them in a folder and packs the lines of the text
// into blocks for a language model: tokenize TEXT FOLDER
#include <cstdio>
#include <filesystem>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/text/bpe_train.h"
#include "stoker/data/text/packing.h"

namespace data = stoker::data;

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  constexpr const char* kEnd = "<|endoftext|>";
  const std::string text = stoker::read_file(argv[1]);
  data::BpeTrainer trainer({.vocabulary_size = 400, .special = {kEnd}});
  if (const stoker::Status status = trainer.add(text); !status) {
    std::fprintf(stderr, "%s: %s\n", argv[1], status.reason().c_str());
    return 1;
  }
  std::filesystem::create_directories(argv[2]);
  trainer.train()->save(argv[2]);

  const auto tokenizer = data::open_tokenizer(argv[2]);
  std::vector<int32_t> ids;
  std::vector<int64_t> lengths;
  for (const std::string& line : stoker::split(text, '\n')) {
    const size_t before = ids.size();
    // A whole text is known to be UTF-8 by now, and byte pairs hold every byte.
    if (!tokenizer->encode(line + kEnd, ids)) return 1;
    lengths.push_back(static_cast<int64_t>(ids.size() - before));
  }
  const auto blocks = data::pack_whole(lengths, 64);
  std::printf("%zu bytes, %zu tokens in %zu documents, %zu blocks of 64\n", text.size(),
              ids.size(), lengths.size(), blocks.size());
  return 0;
}
