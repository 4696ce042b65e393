#pragma once

#include <cstdint>

namespace stoker::data::testing {

/// What C++ code of this program has allocated; C libraries are not counted.
int64_t num_allocations();
int64_t live_bytes();
/// The most that was live since `restart_peak`.
int64_t peak_bytes();
void restart_peak();

}  // namespace stoker::data::testing
