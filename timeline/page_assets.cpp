#include "timeline/page_assets.hpp"

// The assembler copies the files, as firmware/image.cpp has it copy the firmware.
#define ANNELID_ASSET(name, file)                    \
  __asm__(                                           \
      ".section .rodata\n"                           \
      "annelid_" name "_begin: .incbin \"" file      \
      "\"\n"                                         \
      "annelid_" name                                \
      "_end:\n"                                      \
      ".globl annelid_" name "_begin, annelid_" name \
      "_end\n"                                       \
      ".previous\n")

ANNELID_ASSET("page_html", PAGE_HTML);
ANNELID_ASSET("page_css", PAGE_CSS);
ANNELID_ASSET("page_script", PAGE_SCRIPT);

extern "C" {
extern const char annelid_page_html_begin[], annelid_page_html_end[];
extern const char annelid_page_css_begin[], annelid_page_css_end[];
extern const char annelid_page_script_begin[], annelid_page_script_end[];
}

namespace annelid::timeline {

std::string_view page_html() { return {annelid_page_html_begin, annelid_page_html_end}; }
std::string_view page_css() { return {annelid_page_css_begin, annelid_page_css_end}; }
std::string_view page_script() { return {annelid_page_script_begin, annelid_page_script_end}; }

}  // namespace annelid::timeline
