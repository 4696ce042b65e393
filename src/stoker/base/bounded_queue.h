#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace stoker {

/// A queue between threads that is bounded by the bytes it holds, not by a count of
/// items.
///
/// An item larger than the bound is let through when the queue is empty, so that a small
/// bound slows but never blocks for good. After `close()` no push succeeds and pops drain
/// what is left.
template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(int64_t max_bytes) : max_bytes_(max_bytes) {}

  /// Waits for room. False when the queue was closed; the item is then dropped.
  bool push(T item, int64_t bytes) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] {
      return closed_ || items_.empty() || held_bytes_ + bytes <= max_bytes_;
    });
    if (closed_) return false;
    held_bytes_ += bytes;
    items_.emplace_back(std::move(item), bytes);
    lock.unlock();
    not_empty_.notify_one();
    return true;
  }

  /// Waits for an item. Nothing when the queue is closed and empty.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [&] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    auto [item, bytes] = std::move(items_.front());
    items_.pop_front();
    held_bytes_ -= bytes;
    lock.unlock();
    not_full_.notify_all();
    return std::move(item);
  }

  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    not_full_.notify_all();
    not_empty_.notify_all();
  }

  int64_t held_bytes() const {
    const std::lock_guard lock(mutex_);
    return held_bytes_;
  }
  size_t size() const {
    const std::lock_guard lock(mutex_);
    return items_.size();
  }

 private:
  const int64_t max_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable not_full_;
  std::condition_variable not_empty_;
  std::deque<std::pair<T, int64_t>> items_;
  int64_t held_bytes_ = 0;
  bool closed_ = false;
};

}  // namespace stoker
