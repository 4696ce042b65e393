#pragma once

#include <cstdint>
#include <string>

namespace stoker {

/// 1536 -> "1.5 KiB".
std::string format_bytes(int64_t bytes);
/// Seconds as "0.8 s", "12.3 s", "4:05" or "2:03:04".
std::string format_duration(double seconds);
/// 12345 -> "12,345".
std::string format_count(int64_t count);

}  // namespace stoker
