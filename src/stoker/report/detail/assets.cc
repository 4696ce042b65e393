#include "stoker/report/detail/assets.h"

// The assembler copies the files as they are; the compiler never reads them.
#define STOKER_EMBED(symbol, file)                                                     \
  asm(".section .rodata\n" #symbol "_begin:\n.incbin \"" STOKER_REPORT_ASSETS "/" file \
      "\"\n" #symbol "_end:\n.previous\n");                                            \
  extern "C" const char symbol##_begin[];                                              \
  extern "C" const char symbol##_end[]

STOKER_EMBED(stoker_chart_js, "chart.umd.min.js");
STOKER_EMBED(stoker_report_js, "report.js");
STOKER_EMBED(stoker_report_css, "report.css");

namespace stoker::detail {

std::string_view chart_js() { return {stoker_chart_js_begin, stoker_chart_js_end}; }
std::string_view report_js() { return {stoker_report_js_begin, stoker_report_js_end}; }
std::string_view report_css() { return {stoker_report_css_begin, stoker_report_css_end}; }

}  // namespace stoker::detail
