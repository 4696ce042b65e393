#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "stoker/base/random.h"
#include "stoker/config/reader.h"
#include "stoker/data/augment/detail/affine.h"
#include "stoker/data/augment/detail/canvas.h"
#include "stoker/data/augment/detail/operation.h"

namespace stoker::data::detail {

/// `size = 32` (a square) or `size = [height, width]`; must be there.
Size read_size(config::Reader& reader);
/// `size = 256`, one number, or `size = [height, width]`, two.
std::vector<int> read_side_or_size(config::Reader& reader);
/// `fill = 128` or `fill = [125, 123, 114]`, one for each channel; black when absent.
Colour read_fill(config::Reader& reader, int channels);
double read_probability(config::Reader& reader, double otherwise = 0.5);

/// Both ends of what a random number is drawn from.
using Interval = std::array<double, 2>;
/// `key = [smallest, largest]`, both in `range`.
Interval read_interval(config::Reader& reader, const char* key, const Interval& otherwise,
                       config::Range range);
/// `key = [smallest, largest]`, or `key = v` for `centre` - v (but not below the range)
/// to `centre` + v; `centre` alone when absent.
Interval read_spread(config::Reader& reader, const char* key, double centre,
                     config::Range range);
double draw(const Interval& interval, KeyedRandom& random);
/// "0.5 to 1", "90".
std::string range_text(const Interval& interval);

/// `interpolation = "bilinear"`, `"bicubic"` or `"box"`, of a resize.
Filter read_filter(config::Reader& reader);
/// "" for the bilinear filter, else ", bicubic".
std::string text(Filter filter);

/// `interpolation = "nearest"` or `"bilinear"`, and `fill` or `otherwise` without it.
Sampling read_sampling(config::Reader& reader, int channels,
                       const std::optional<Colour>& otherwise);

std::string text(const Sampling& sampling);
/// `center = [x, y]`, in pixels from the upper left corner; nothing when absent.
std::optional<std::array<double, 2>> read_centre(config::Reader& reader);

std::string text(Size size);

}  // namespace stoker::data::detail
