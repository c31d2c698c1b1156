// A number that is written as a text.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace annelid {

/// The number that the whole text is. Nothing for any other text, an empty one, and a number that
/// `Number` cannot hold. No blanks and no leading "+" are allowed. The digits of an integer are
/// those of `base`, 2 to 36.
template <typename Number>
std::optional<Number> parse_number(std::string_view text, int base = 10) {
  Number number{};
  const char* const last = text.data() + text.size();
  std::from_chars_result result{};
  if constexpr (std::integral<Number>) {
    result = std::from_chars(text.data(), last, number, base);
  } else {
    result = std::from_chars(text.data(), last, number);
  }
  if (result.ec != std::errc{} || result.ptr != last) return std::nullopt;
  return number;
}

}  // namespace annelid
