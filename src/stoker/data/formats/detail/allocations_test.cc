#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "stoker/data/formats/detail/test_allocations.h"

namespace {
std::atomic<int64_t> count{0};
std::atomic<int64_t> live{0};
std::atomic<int64_t> peak{0};
}  // namespace

void* operator new(std::size_t size) {
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  const int64_t now = live += static_cast<int64_t>(malloc_usable_size(memory));
  if (now > peak) peak = now;
  ++count;
  return memory;
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr) live -= static_cast<int64_t>(malloc_usable_size(memory));
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace stoker::data::testing {

int64_t num_allocations() { return count; }
int64_t live_bytes() { return live; }
int64_t peak_bytes() { return peak; }
void restart_peak() { peak = live.load(); }

}  // namespace stoker::data::testing
