#pragma once

#include <cstdint>

namespace stoker::data::test {

/// How often C++ code of this program has allocated so far. The C libraries' own memory
/// is not counted.
int64_t num_allocations();

}  // namespace stoker::data::test
