#pragma once

#include <cstdint>

namespace stoker {

/// What LibTorch's CPU tensors hold.
struct MemoryCount {
  int64_t live_bytes = 0;    ///< In tensors now.
  int64_t peak_bytes = 0;    ///< Most at one time since `reset_memory_peak`.
  int64_t cached_bytes = 0;  ///< Freed blocks kept for reuse.
};

/// Makes LibTorch allocate CPU memory through stoker: counted, and large blocks are kept
/// for reuse, since fresh pages from the system cost a large share of a training step.
/// Call once, before the first tensor; further calls do nothing.
void install_memory_counter();

MemoryCount memory_count();
void reset_memory_peak();
/// Gives cached blocks back to the system.
void release_cached_memory();

}  // namespace stoker
