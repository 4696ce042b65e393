#pragma once

#include <string>
#include <vector>

#include "stoker/config/reader.h"
#include "stoker/data/augment/detail/canvas.h"
#include "stoker/data/augment/detail/operation.h"

namespace stoker::data::detail {

/// `size = 32` (a square) or `size = [height, width]`; must be there.
Size read_size(config::Reader& reader);
/// `size = 256`, one number, or `size = [height, width]`, two.
std::vector<int> read_side_or_size(config::Reader& reader);
/// `fill = 128` or `fill = [125, 123, 114]`, one for each channel; black when absent.
Colour read_fill(config::Reader& reader, int channels);
double read_probability(config::Reader& reader);

std::string text(Size size);

}  // namespace stoker::data::detail
