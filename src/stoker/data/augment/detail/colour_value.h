#pragma once

#include <array>
#include <cstdint>

namespace stoker::data::detail {

/// One byte a channel; the first only when there is one channel.
using Colour = std::array<uint8_t, 3>;

}  // namespace stoker::data::detail
