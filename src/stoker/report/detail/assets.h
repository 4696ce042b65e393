#pragma once

#include <string_view>

namespace stoker::detail {

/// The files of `assets/`, held by the library itself.
std::string_view chart_js();
std::string_view report_js();
std::string_view report_css();

}  // namespace stoker::detail
