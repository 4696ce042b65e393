#include "stoker/data/text/buckets.h"

#include <algorithm>
#include <utility>

#include "stoker/base/error.h"
#include "stoker/base/random.h"
#include "stoker/base/strings.h"

namespace stoker::data {

namespace {
using Batches = std::vector<std::vector<int64_t>>;
constexpr uint32_t kShuffleOperation = 0x6275636B;  // A key of its own among all draws.

void check_positive(const char* name, int64_t value, int64_t least) {
  if (value < least)
    throw Error(ErrorCode::kInvalid,
                cat("[text] ", name, ": expected at least ", least, ", got ", value));
}

void check(std::span<const int64_t> lengths, std::span<const int64_t> order,
           const BucketOptions& options) {
  check_positive("batch", options.batch, 1);
  check_positive("max_tokens", options.max_tokens, 0);
  check_positive("window_batches", options.window_batches, 1);
  check_positive("multiple", options.multiple, 1);
  for (const int64_t record : order) {
    if (record < 0 || record >= std::ssize(lengths))
      throw Error(ErrorCode::kInvalid,
                  cat("[text] order: expected records of the ", lengths.size(),
                      " with a length, got ", record));
  }
}

/// Sorted records, shortest first, cut where a batch is full.
void cut(std::span<const int64_t> lengths, std::span<const int64_t> sorted,
         const BucketOptions& options, Batches& batches) {
  std::vector<int64_t> batch;
  for (const int64_t record : sorted) {
    const auto size = std::ssize(batch) + 1;
    const int64_t tokens =
        size * padded_length(lengths[static_cast<size_t>(record)], options.multiple);
    const bool full =
        size > options.batch || (options.max_tokens > 0 && tokens > options.max_tokens);
    if (full && !batch.empty()) batches.push_back(std::exchange(batch, {}));
    batch.push_back(record);
  }
  if (!batch.empty()) batches.push_back(std::move(batch));
}

void shuffle(std::span<std::vector<int64_t>> batches, KeyedRandom random) {
  for (size_t left = batches.size(); left > 1; --left)
    std::swap(batches[left - 1], batches[random.below(left)]);
}
}  // namespace

int64_t padded_length(int64_t longest, int64_t multiple, int64_t limit) {
  const int64_t padded = (longest + multiple - 1) / multiple * multiple;
  return limit > 0 ? std::min(padded, limit) : padded;
}

Batches length_batches(std::span<const int64_t> lengths, std::span<const int64_t> order,
                       const BucketOptions& options) {
  check(lengths, order, options);
  const auto window_size = static_cast<size_t>(options.batch * options.window_batches);
  Batches batches;
  for (size_t begin = 0; begin < order.size(); begin += window_size) {
    const auto part = order.subspan(begin, std::min(window_size, order.size() - begin));
    std::vector<int64_t> window(part.begin(), part.end());
    std::ranges::stable_sort(
        window, {}, [&](int64_t record) { return lengths[static_cast<size_t>(record)]; });
    const size_t first = batches.size();
    cut(lengths, window, options, batches);
    if (options.shuffle)
      shuffle(std::span(batches).subspan(first),
              KeyedRandom(options.seed, options.epoch, begin / window_size,
                          kShuffleOperation));
  }
  return batches;
}

double padding_share(std::span<const int64_t> lengths, const Batches& batches,
                     int64_t multiple) {
  int64_t used = 0;
  int64_t padded = 0;
  for (const auto& batch : batches) {
    int64_t longest = 0;
    for (const int64_t record : batch) {
      const int64_t length = lengths[static_cast<size_t>(record)];
      used += length;
      longest = std::max(longest, length);
    }
    padded += padded_length(longest, multiple) * std::ssize(batch);
  }
  return padded == 0 ? 0 : 1 - static_cast<double>(used) / static_cast<double>(padded);
}

}  // namespace stoker::data
