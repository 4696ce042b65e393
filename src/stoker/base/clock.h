#pragma once

#include <chrono>

namespace stoker {

/// Seconds on the monotonic clock.
inline double now_seconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Seconds since it was made or last restarted.
class Stopwatch {
 public:
  double seconds() const { return now_seconds() - start_; }
  double restart() {
    const double now = now_seconds();
    const double elapsed = now - start_;
    start_ = now;
    return elapsed;
  }

 private:
  double start_ = now_seconds();
};

}  // namespace stoker
