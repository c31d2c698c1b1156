// Included first in every file that formats, in the build with sanitizers: what {fmt} does with a
// text at run time is compiled once, optimized, in format_once.cpp. Compiled in each of these files
// without optimization, it took more than half of the time of a run that writes logs. (The
// instantiation in the library itself has another name: Clang and GCC mangle it differently.)
#pragma once

#include <fmt/format.h>

extern template void fmt::detail::vformat_to(buffer<char>&, string_view,
                                             basic_format_args<buffer_context<char>>, locale_ref);
