// Stands in for libFuzzer where the compiler has none: runs the target over the files
// given and over changed copies of them, the same ones each time.
#include <cstddef>
#include <cstdint>
#include <string>

#include "stoker/base/files.h"
#include "stoker/base/random.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr int kChangedCopies = 20'000;

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
}

/// One to four bytes replaced, removed or doubled, or the end cut off.
std::string changed(std::string input, stoker::KeyedRandom& random) {
  const uint64_t num_changes = 1 + random.below(4);
  for (uint64_t i = 0; i < num_changes && !input.empty(); ++i) {
    const size_t at = random.below(input.size());
    switch (random.below(8)) {
      case 0:
        input.erase(at, 1);
        break;
      case 1:
        input.insert(at, 1, input[at]);
        break;
      case 2:
        input.resize(at);
        break;
      case 3:
        input[at] = "0123456789[]{},:\"-"[random.below(18)];
        break;
      case 4:
        input[at] = input[random.below(input.size())];
        break;
      default:
        input[at] = static_cast<char>(random.below(256));
    }
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string input = stoker::read_file(argv[i]);
    run(input);
    stoker::KeyedRandom random(1, 0, static_cast<uint64_t>(i), 0);
    for (int copy = 0; copy < kChangedCopies; ++copy) run(changed(input, random));
  }
  return 0;
}
