// The program's standard output.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace annelid::cli {

/// Writes text to standard output. Control characters other than line ends, tabs and colours appear
/// as \xNN, because the text may hold names from any file.
void put_text(std::string_view text);

template <typename... Arguments>
void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  put_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Flushes the output. Throws RunFailure if anything could not be written.
void finish_output();

}  // namespace annelid::cli
