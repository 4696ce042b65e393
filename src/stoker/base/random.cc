#include "stoker/base/random.h"

namespace stoker {

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                               std::array<uint32_t, 2> key) {
  constexpr uint64_t kMultiplier0 = 0xD2511F53;
  constexpr uint64_t kMultiplier1 = 0xCD9E8D57;
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = kMultiplier0 * counter[0];
    const uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(product1),
               static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(product0)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t z = a + 0x9E3779B97F4A7C15 * (b + 1);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

KeyedRandom::KeyedRandom(uint64_t seed, uint64_t epoch, uint64_t sample,
                         uint32_t operation) {
  const uint64_t key = mix(seed, epoch);
  key_ = {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)};
  counter_ = {0, operation, static_cast<uint32_t>(sample),
              static_cast<uint32_t>(sample >> 32)};
}

uint32_t KeyedRandom::next_u32() {
  if (used_ == 4) {
    block_ = philox(counter_, key_);
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
}

uint64_t KeyedRandom::next_u64() {
  const uint64_t high = next_u32();
  return high << 32 | next_u32();
}

float KeyedRandom::uniform() { return static_cast<float>(next_u32() >> 8) * 0x1p-24F; }

uint64_t KeyedRandom::below(uint64_t bound) {
  // Rejects the incomplete last interval (Lemire, "Fast random integer generation",
  // 2019).
  __extension__ using u128 = unsigned __int128;
  u128 product = static_cast<u128>(next_u64()) * bound;
  if (static_cast<uint64_t>(product) < bound) {
    const uint64_t threshold = (0 - bound) % bound;
    while (static_cast<uint64_t>(product) < threshold) {
      product = static_cast<u128>(next_u64()) * bound;
    }
  }
  return static_cast<uint64_t>(product >> 64);
}

}  // namespace stoker
