#pragma once

#include <memory>

#include "stoker/data/augment/detail/operation.h"

namespace stoker::data::detail {

/// Turns an image upside down, by half a turn, with probability `p`.
std::unique_ptr<Operation> make_half_turn(config::Reader& reader, int channels);

}  // namespace stoker::data::detail
