#include "stoker/runtime/memory.h"

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>

namespace stoker {

namespace {
constexpr size_t kHeader =
    64;  // Keeps the data on a cache line and holds the block's size.
constexpr size_t kCacheFrom = size_t{1} << 20;
constexpr size_t kHugePage = size_t{2} << 20;

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
    for (const auto& [size, block] : cache_) std::free(block);
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
    size_t size;  // Of the whole block.
  };

  void* take(size_t wanted) {
    void* block = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (wanted >= kCacheFrom) block = take_cached(wanted);
      if (block != nullptr) return block;
    }
    const bool large = wanted >= kCacheFrom;
    const size_t alignment = wanted >= kHugePage ? kHugePage : kHeader;
    const size_t size = (wanted + kHeader - 1) / kHeader * kHeader;
    if (::posix_memalign(&block, alignment, size) != 0) {
      release_cached();
      if (::posix_memalign(&block, alignment, size) != 0) throw std::bad_alloc();
    }
    if (large && size >= kHugePage) ::madvise(block, size, MADV_HUGEPAGE);
    static_cast<Header*>(block)->size = size;
    const std::lock_guard lock(mutex_);
    add_live(size);
    return block;
  }

  void* take_cached(size_t wanted) {
    const auto found = cache_.lower_bound(wanted);
    if (found == cache_.end() || found->first > wanted + wanted / 4) return nullptr;
    void* block = found->second;
    count_.cached_bytes -= static_cast<int64_t>(found->first);
    add_live(found->first);
    cache_.erase(found);
    return block;
  }

  void add_live(size_t size) {
    count_.live_bytes += static_cast<int64_t>(size);
    count_.peak_bytes = std::max(count_.peak_bytes, count_.live_bytes);
  }

  void give_back(void* block) {
    const size_t size = static_cast<Header*>(block)->size;
    {
      const std::lock_guard lock(mutex_);
      count_.live_bytes -= static_cast<int64_t>(size);
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
