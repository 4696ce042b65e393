#pragma once

#include <array>
#include <cstdint>

namespace stoker {

/// Random numbers that are a pure function of (seed, epoch, sample, operation, counter):
/// threads, ranks and the order of work change nothing.
///
/// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
class KeyedRandom {
 public:
  KeyedRandom(uint64_t seed, uint64_t epoch, uint64_t sample, uint32_t operation);

  uint32_t next_u32();
  uint64_t next_u64();
  /// Uniform in [0, 1), with 24 random bits.
  float uniform();
  /// Uniform in [low, high).
  float uniform(float low, float high) { return low + (high - low) * uniform(); }
  /// Uniform integer in [0, bound), without bias; bound > 0.
  uint64_t below(uint64_t bound);
  bool bernoulli(float probability) { return uniform() < probability; }

 private:
  std::array<uint32_t, 2> key_;
  std::array<uint32_t, 4> counter_;
  std::array<uint32_t, 4> block_{};
  uint32_t used_ = 4;
};

/// One Philox4x32-10 block.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                               std::array<uint32_t, 2> key);

/// A 64-bit mix of two words (splitmix64's finaliser): for deriving seeds.
uint64_t mix(uint64_t a, uint64_t b);

}  // namespace stoker
