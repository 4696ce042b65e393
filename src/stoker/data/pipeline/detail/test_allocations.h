#pragma once

#include <cstdint>

namespace stoker::data::testing {

/// How often C++ code of this program has allocated so far; C libraries are not counted.
int64_t num_allocations();

}  // namespace stoker::data::testing
