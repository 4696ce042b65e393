#include "stoker/runtime/memory.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "stoker/runtime/device.h"

namespace stoker {
namespace {

constexpr int64_t kMegabyte = 1 << 20;

TEST(MemoryCounter, CountsWhatTensorsHold) {
  install_memory_counter();
  const int64_t before = memory_count().live_bytes;
  {
    const auto tensor = torch::zeros({16, kMegabyte / 4});
    EXPECT_NEAR(static_cast<double>(memory_count().live_bytes - before), 16.0 * kMegabyte,
                4096);
  }
  EXPECT_EQ(memory_count().live_bytes, before);
}

TEST(MemoryCounter, RemembersThePeakUntilReset) {
  install_memory_counter();
  reset_memory_peak();
  const int64_t before = memory_count().peak_bytes;
  { const auto tensor = torch::zeros({8, kMegabyte / 4}); }
  EXPECT_GE(memory_count().peak_bytes - before, 8 * kMegabyte);
  reset_memory_peak();
  EXPECT_EQ(memory_count().peak_bytes, memory_count().live_bytes);
}

TEST(MemoryCounter, ServesLargeBlocksAgain) {
  install_memory_counter();
  release_cached_memory();
  void* first = nullptr;
  {
    const auto tensor = torch::zeros({8, kMegabyte / 4});
    first = tensor.data_ptr();
  }
  EXPECT_GE(memory_count().cached_bytes, 8 * kMegabyte);
  {
    const auto tensor = torch::zeros({8, kMegabyte / 4});
    EXPECT_EQ(tensor.data_ptr(), first);
    EXPECT_LT(memory_count().cached_bytes, 8 * kMegabyte);
  }
  release_cached_memory();
  EXPECT_EQ(memory_count().cached_bytes, 0);
}

TEST(MemoryCounter, DoesNotWasteALargeBlockOnASmallTensor) {
  install_memory_counter();
  release_cached_memory();
  { const auto tensor = torch::zeros({64, kMegabyte / 4}); }
  const auto small = torch::zeros({2, kMegabyte / 4});
  EXPECT_GE(memory_count().cached_bytes, 64 * kMegabyte);
}

TEST(MemoryCounter, KeepsNoMoreThanWasOnceInUse) {
  install_memory_counter();
  release_cached_memory();
  const int64_t before = memory_count().live_bytes;
  reset_memory_peak();
  { const auto largest = torch::empty({600, kMegabyte / 4}); }
  const int64_t most = memory_count().peak_bytes - before;
  for (const int64_t other : {400, 250, 150, 90, 50, 500}) {
    const auto tensor = torch::empty({other, kMegabyte / 4});
    EXPECT_LE(memory_count().live_bytes - before + memory_count().cached_bytes,
              most + most / 4);
  }
}

TEST(MemoryCounter, AlignsForVectorUnits) {
  install_memory_counter();
  for (const int64_t size : {1, 100, 1000, 300000, 3000000}) {
    const auto tensor = torch::empty({size});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data_ptr()) % 64, 0U);
  }
}

TEST(Machine, IsDescribedByWhatTheProcessMayUse) {
  const Machine machine = look_at_machine();
  EXPECT_GE(machine.cores, 1);
  EXPECT_GT(machine.memory_bytes, 0);
  EXPECT_FALSE(machine.cpu.empty());
  EXPECT_GT(resident_bytes(), 0);
  EXPECT_GE(peak_resident_bytes() + kMegabyte, resident_bytes());
}

}  // namespace
}  // namespace stoker
