#pragma once

#include <string>

#include "stoker/report/detail/history.h"

namespace stoker::detail {

/// The whole page; `moment` is when it was written, for the reader.
std::string render_page(const History& history, const std::string& moment);

}  // namespace stoker::detail
