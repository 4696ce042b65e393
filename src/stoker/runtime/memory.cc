#include "stoker/runtime/memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <new>

namespace stoker {

namespace {
constexpr size_t kHeader =
    64;  // Keeps the data on a cache line and holds the block's size.
constexpr size_t kCacheFrom = size_t{1} << 20;
constexpr size_t kHugePage = size_t{2} << 20;
/// Blocks in use and in the cache together may take the most that was ever in use and a
/// quarter of it.
constexpr int64_t kSlackDivisor = 4;

/// A block serves requests of one size class only, so that the same steps always find the
/// same blocks and memory stays flat. Classes are a sixteenth apart, in whole pages.
size_t class_of(size_t wanted) {
  const size_t step = std::max<size_t>(4096, std::bit_floor(wanted) / 16);
  return (wanted + step - 1) / step * step;
}

/// Memory of its own, which goes back to the system as a whole; on the border of a huge
/// page where it fills one. Null when there is none.
void* map_block(size_t size) {
  const size_t border = size >= kHugePage ? kHugePage : 0;
  void* mapped = ::mmap(nullptr, size + border, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  if (border == 0) return mapped;
  auto* start = static_cast<char*>(mapped);
  const size_t before = -reinterpret_cast<uintptr_t>(start) & (border - 1);
  if (before > 0) ::munmap(start, before);
  if (border > before) ::munmap(start + before + size, border - before);
  ::madvise(start + before, size, MADV_HUGEPAGE);
  return start + before;
}

/// Large blocks go back to a cache and serve again when they fit with little waste.
class CountingAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    if (bytes == 0) return {nullptr, nullptr, &release, c10::Device(c10::kCPU)};
    auto* block = static_cast<char*>(take(bytes + kHeader));
    char* data = block + kHeader;
    return {data, data, &release, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
  void copy_data(void* to, const void* from, size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }

  MemoryCount count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  void reset_peak() {
    const std::lock_guard lock(mutex_);
    count_.peak_bytes = count_.live_bytes;
  }
  void release_cached() {
    const std::lock_guard lock(mutex_);
    for (const auto& [size, block] : cache_) ::munmap(block, size);
    cache_.clear();
    count_.cached_bytes = 0;
  }
  static CountingAllocator& instance() {
    // Never destroyed: tensors in static storage may outlive any order of destruction.
    static auto* allocator = new CountingAllocator;
    return *allocator;
  }

 private:
  struct Header {
    size_t size;    // Of the whole block.
    size_t wanted;  // What counts: the class may be larger.
  };

  void* take(size_t wanted) {
    // Rounded up, a small block stays below the size of large ones.
    if (wanted > kCacheFrom - kHeader) return take_large(wanted);
    void* block = nullptr;
    const size_t size = (wanted + kHeader - 1) / kHeader * kHeader;
    if (::posix_memalign(&block, kHeader, size) != 0) throw std::bad_alloc();
    return in_use(block, size, wanted);
  }

  void* take_large(size_t wanted) {
    const size_t size = class_of(wanted);
    if (void* block = take_cached(size)) return in_use(block, size, wanted);
    make_room(static_cast<int64_t>(size));
    void* block = map_block(size);
    if (block == nullptr) {
      release_cached();
      block = map_block(size);
      if (block == nullptr) throw std::bad_alloc();
    }
    return in_use(block, size, wanted);
  }

  void* in_use(void* block, size_t size, size_t wanted) {
    *static_cast<Header*>(block) = {size, wanted};
    const std::lock_guard lock(mutex_);
    held_ += static_cast<int64_t>(size);
    most_held_ = std::max(most_held_, held_);
    count_.live_bytes += static_cast<int64_t>(wanted);
    count_.peak_bytes = std::max(count_.peak_bytes, count_.live_bytes);
    return block;
  }

  void* take_cached(size_t size) {
    const std::lock_guard lock(mutex_);
    const auto found = cache_.find(size);
    if (found == cache_.end()) return nullptr;
    void* block = found->second;
    count_.cached_bytes -= static_cast<int64_t>(size);
    cache_.erase(found);
    return block;
  }

  /// Frees the largest blocks of the cache: other sizes are wanted now, as when an
  /// evaluation follows training.
  void make_room(int64_t size) {
    const std::lock_guard lock(mutex_);
    const int64_t most = most_held_ + most_held_ / kSlackDivisor;
    while (!cache_.empty() && held_ + count_.cached_bytes + size > most) {
      const auto largest = std::prev(cache_.end());
      count_.cached_bytes -= static_cast<int64_t>(largest->first);
      ::munmap(largest->second, largest->first);
      cache_.erase(largest);
    }
  }

  void give_back(void* block) {
    const auto [size, wanted] = *static_cast<Header*>(block);
    {
      const std::lock_guard lock(mutex_);
      held_ -= static_cast<int64_t>(size);
      count_.live_bytes -= static_cast<int64_t>(wanted);
      if (size >= kCacheFrom) {
        cache_.emplace(size, block);
        count_.cached_bytes += static_cast<int64_t>(size);
        return;
      }
    }
    std::free(block);
  }

  static void release(void* data) {
    if (data != nullptr) instance().give_back(static_cast<char*>(data) - kHeader);
  }

  std::mutex mutex_;
  std::multimap<size_t, void*> cache_;
  MemoryCount count_;
  int64_t held_ = 0;       // Whole blocks in use.
  int64_t most_held_ = 0;  // Since the start; `peak_bytes` is reset.
};
}  // namespace

void install_memory_counter() {
  static std::once_flag once;
  std::call_once(once, [] {
    // The kernels' own scratch memory comes from malloc: keep it too instead of unmapping
    // it.
    ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
    ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
    c10::SetCPUAllocator(&CountingAllocator::instance(), /*priority=*/1);
  });
}

MemoryCount memory_count() { return CountingAllocator::instance().count(); }
void reset_memory_peak() { CountingAllocator::instance().reset_peak(); }
void release_cached_memory() { CountingAllocator::instance().release_cached(); }

}  // namespace stoker
