// Included first in every file that formats, in the build with sanitizers. Without optimization,
// and checked at each access, {fmt}'s own code took a third of the time of the tests that write
// logs. What the library holds, these files take from there.
#pragma once

#include <fmt/format.h>

extern template void fmt::detail::vformat_to(buffer<char>&, string_view,
                                             basic_format_args<buffer_context<char>>, locale_ref);
