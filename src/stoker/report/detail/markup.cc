#include "stoker/report/detail/markup.h"

#include "stoker/base/strings.h"

namespace stoker::detail {

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string element(std::string_view tag, std::string_view text, std::string_view css) {
  const std::string attribute = css.empty() ? "" : cat(" class=\"", css, "\"");
  return cat("<", tag, attribute, ">", escape_html(text), "</", tag, ">");
}

std::string card(std::string_view heading, std::string_view markup,
                 std::string_view css) {
  const std::string_view gap = css.empty() ? "" : " ";
  return cat("<section class=\"card", gap, css, "\">", element("h2", heading), "\n",
             markup, "</section>\n");
}

std::string pairs_table(const std::vector<std::pair<std::string, std::string>>& rows,
                        bool numbers) {
  std::string out = "<table>";
  for (const auto& [name, value] : rows) {
    out += cat("<tr>", element("td", name), element("td", value, numbers ? "n" : ""),
               "</tr>\n");
  }
  return out + "</table>\n";
}

std::string bullets(const std::vector<std::string>& lines) {
  std::string out = "<ul>";
  for (const std::string& line : lines) out += element("li", line) + "\n";
  return out + "</ul>\n";
}

std::string json_in_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace stoker::detail
