// The program's standard output.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "base/text.hpp"

namespace annelid::cli {

/// Writes whole lines of the program's own. Control characters other than line ends and tabs appear
/// as \xNN. Names that others have chosen must have gone through one_line() before they became part
/// of the text.
void put_text(std::string_view text);

/// What put() prints for an argument: a text may be somebody else's, and becomes part of one line.
template <typename Argument>
[[nodiscard]] auto shown(const Argument& argument) {
  if constexpr (std::is_convertible_v<const Argument&, std::string_view>) {
    return one_line(argument);
  } else {
    return argument;
  }
}

/// Writes formatted text, in which the arguments have no line ends and other control characters.
template <typename... Arguments>
void put(fmt::format_string<Arguments...> format, const Arguments&... arguments) {
  const auto print = [&](const auto&... texts) {
    put_text(fmt::vformat(format, fmt::make_format_args(texts...)));
  };
  std::apply(print, std::make_tuple(shown(arguments)...));
}

/// A formatted value, or a dash: a mean of nothing is no number.
template <typename Value>
[[nodiscard]] std::string text_or_dash(const std::optional<Value>& value,
                                       fmt::format_string<const Value&> format) {
  return value ? fmt::format(format, *value) : "-";
}

enum class Colour : std::uint8_t { kRed, kGreen };

/// Writes a word of the program's own, in colour if standard output is a terminal and NO_COLOR is
/// not set.
void put_coloured(Colour colour, std::string_view text);

/// Flushes the output. Throws RunFailure if anything could not be written.
void finish_output();

}  // namespace annelid::cli
