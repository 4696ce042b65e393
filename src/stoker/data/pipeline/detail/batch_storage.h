#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "stoker/data/pipeline/detail/tickets.h"
#include "stoker/data/pipeline/loader.h"

namespace stoker::data {

namespace detail {
constexpr size_t kBatchAlignment = 64;

struct FreeAligned {
  void operator()(float* memory) const {
    ::operator delete (memory, std::align_val_t{kBatchAlignment});
  }
};
using AlignedFloats = std::unique_ptr<float, FreeAligned>;
}  // namespace detail

/// A batch that workers fill piece by piece, and that the consumer then has.
struct Batch::Storage {
  struct BadSlot {
    int64_t slot = 0;
    BadRecord record;
  };
  /// A slot a position of `range`, none of them filled yet.
  void start(const detail::Ticket& ticket);
  bool is_claimed() const { return claimed == ticket.range.size(); }
  bool is_filled() const { return filled == ticket.range.size(); }
  /// Moves the good samples together, each of `sample_floats` floats.
  void leave_out_bad(int64_t sample_floats);

  detail::AlignedFloats memory;
  std::vector<int64_t> labels;
  std::vector<int64_t> records;
  detail::Ticket ticket;
  int64_t claimed = 0;  ///< Slots that workers have taken on, from the first.
  int64_t filled = 0;   ///< Slots that are done, good or bad.
  std::vector<BadSlot> bad;
  int64_t channels = 0;
  int64_t height = 0;
  int64_t width = 0;
  std::shared_ptr<Pool> pool;  ///< Where it goes back to; set while the consumer has it.
};

/// Finished batches' memory, kept for the next ones. It outlives the loader while a batch
/// is out.
struct Batch::Pool {
  std::unique_ptr<Storage> take(int64_t batch, int64_t sample_floats);
  void give_back(std::unique_ptr<Storage> storage) noexcept;

 private:
  std::mutex mutex_;
  size_t made_ = 0;
  std::vector<std::unique_ptr<Storage>> free_;  // Has room for all: giving back is free.
};

}  // namespace stoker::data
