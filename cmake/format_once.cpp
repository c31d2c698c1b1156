#include "cmake/format_once.hpp"

template void fmt::detail::vformat_to(buffer<char>&, string_view,
                                      basic_format_args<buffer_context<char>>, locale_ref);
