// Encodes reviews on request: reads a number of passes from each line of standard input,
// takes them on one thread and prints the seconds that they took and the ids that they
// gave. tokenizer_bench TOKENIZER REVIEWS, where REVIEWS holds a text a line.
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "stoker/base/clock.h"
#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/data/text/tokenizer.h"

namespace {
using namespace stoker;  // NOLINT(google-build-using-namespace)

/// The ids of all texts, each in a vector of its own, as a caller wants them.
size_t encode_all(const data::Tokenizer& tokenizer,
                  const std::vector<std::string>& texts) {
  std::vector<std::vector<int32_t>> batch(texts.size());
  size_t num_ids = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (const Status status = tokenizer.encode(texts[i], batch[i]); !status)
      throw Error(ErrorCode::kData, status.reason());
    num_ids += batch[i].size();
  }
  return num_ids;
}

int run(const char* path, const char* reviews) {
  const auto tokenizer = data::open_tokenizer(path);
  const std::vector<std::string> texts = split(read_file(reviews), '\n');
  std::printf("{\"texts\": %zu}\n", texts.size());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    const Stopwatch watch;
    size_t num_ids = 0;
    for (int i = std::stoi(line); i > 0; --i) num_ids = encode_all(*tokenizer, texts);
    std::printf("%.6f %zu\n", watch.seconds(), num_ids);
    std::fflush(stdout);
  }
  return 0;
}
}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: tokenizer_bench TOKENIZER REVIEWS\n", stderr);
    return 2;
  }
  try {
    return run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tokenizer_bench: %s\n", error.what());
    return 1;
  }
}
