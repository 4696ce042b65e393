#include "stoker/base/bounded_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace stoker {
namespace {

using std::chrono_literals::operator""ms;

bool waits(const std::future<bool>& work) {
  return work.wait_for(50ms) == std::future_status::timeout;
}

TEST(BoundedQueue, GivesItemsInOrderAndCountsTheirBytes) {
  BoundedQueue<std::unique_ptr<int>> queue(100);
  EXPECT_TRUE(queue.push(std::make_unique<int>(1), 30));
  EXPECT_TRUE(queue.push(std::make_unique<int>(2), 50));
  EXPECT_EQ(queue.held_bytes(), 80);
  EXPECT_EQ(queue.size(), 2U);
  EXPECT_EQ(**queue.pop(), 1);
  EXPECT_EQ(queue.held_bytes(), 50);
  EXPECT_EQ(**queue.pop(), 2);
  EXPECT_EQ(queue.held_bytes(), 0);
}

TEST(BoundedQueue, APushWaitsForRoomInBytes) {
  BoundedQueue<int> queue(100);
  queue.push(1, 60);
  queue.push(2, 40);
  auto third = std::async(std::launch::async, [&] { return queue.push(3, 50); });
  EXPECT_TRUE(waits(third));
  EXPECT_EQ(queue.held_bytes(), 100);
  queue.pop();
  EXPECT_TRUE(third.get());
  EXPECT_EQ(queue.held_bytes(), 90);
}

TEST(BoundedQueue, AnItemAboveTheBoundGoesThroughAlone) {
  BoundedQueue<int> queue(10);
  EXPECT_TRUE(queue.push(1, 1000));
  auto next = std::async(std::launch::async, [&] { return queue.push(2, 1); });
  EXPECT_TRUE(waits(next));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_TRUE(next.get());
}

TEST(BoundedQueue, ClosingWakesThosePushing) {
  BoundedQueue<int> queue(10);
  queue.push(1, 10);
  auto blocked = std::async(std::launch::async, [&] { return queue.push(2, 10); });
  EXPECT_TRUE(waits(blocked));
  queue.close();
  EXPECT_FALSE(blocked.get());
  EXPECT_FALSE(queue.push(3, 1));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, ClosingWakesThosePopping) {
  BoundedQueue<int> queue(10);
  auto blocked = std::async(std::launch::async, [&] { return queue.pop().has_value(); });
  EXPECT_TRUE(waits(blocked));
  queue.close();
  EXPECT_FALSE(blocked.get());
}

TEST(BoundedQueue, LosesAndDoublesNothingBetweenManyThreads) {
  constexpr int kItems = 4000;
  BoundedQueue<int> queue(64);
  std::vector<std::atomic<int>> seen(3 * kItems);
  std::atomic<int64_t> most_held = 0;
  std::vector<std::jthread> consumers;
  for (int i = 0; i < 3; ++i) {
    consumers.emplace_back([&] {
      while (const auto item = queue.pop()) {
        ++seen[static_cast<size_t>(*item)];
        int64_t most = most_held;
        const int64_t held = queue.held_bytes();
        while (held > most && !most_held.compare_exchange_weak(most, held)) {
        }
      }
    });
  }
  {
    std::vector<std::jthread> producers;
    for (int i = 0; i < 3; ++i) {
      producers.emplace_back([&queue, i] {
        for (int n = 0; n < kItems; ++n) queue.push(i * kItems + n, 1 + n % 32);
      });
    }
  }
  queue.close();
  consumers.clear();
  for (const auto& count : seen) ASSERT_EQ(count, 1);
  EXPECT_LE(most_held, 64);
  EXPECT_EQ(queue.held_bytes(), 0);
}

}  // namespace
}  // namespace stoker
