#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stoker::detail {

/// Text that stays text inside an element or a quoted attribute.
std::string escape_html(std::string_view text);

/// `<tag class="...">text</tag>` with the text escaped.
std::string element(std::string_view tag, std::string_view text,
                    std::string_view css = "");

/// A section with a heading around markup.
std::string card(std::string_view heading, std::string_view markup,
                 std::string_view css = "");

/// Rows of two columns: names, and values that are aligned as numbers when `numbers`.
std::string pairs_table(const std::vector<std::pair<std::string, std::string>>& rows,
                        bool numbers);

/// A list of lines.
std::string bullets(const std::vector<std::string>& lines);

/// JSON that cannot end the script element that holds it.
std::string json_in_script(std::string_view json);

}  // namespace stoker::detail
