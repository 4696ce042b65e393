#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stoker::detail {

/// Tag -> value.
using Scalars = std::vector<std::pair<std::string, double>>;

/// Serialized tensorflow.Event messages; `wall_time` in seconds since 1970.
std::string version_event(double wall_time);
std::string scalar_event(double wall_time, int64_t step, const Scalars& scalars);
/// Tells TensorBoard to forget what earlier files hold from `step` on.
std::string purge_event(double wall_time, int64_t step);

/// A TFRecord: length as 8 little-endian bytes, its masked CRC-32C, payload, its masked
/// CRC-32C (tensorflow/core/lib/io/record_writer.h).
std::string tf_record(std::string_view payload);

}  // namespace stoker::detail
