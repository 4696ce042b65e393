#include <atomic>
#include <cstdlib>
#include <new>

#include "stoker/data/pipeline/detail/test_allocations.h"

namespace {
std::atomic<int64_t> count{0};
}  // namespace

void* operator new(std::size_t size) {
  ++count;
  void* memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace stoker::data::testing {

int64_t num_allocations() { return count; }

}  // namespace stoker::data::testing
