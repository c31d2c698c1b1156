// What the program prints.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace annelid::cli {

/// To standard output, without control characters: the text may hold names from any file.
void put_text(std::string_view text);

template <typename... Arguments>
void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  put_text(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Writes what is buffered. Throws RunFailure if anything could not be written.
void finish_output();

}  // namespace annelid::cli
