// How deep the values of a TOML text lie in tables and lists, before it is parsed: the parser calls
// itself for each level, and deep enough a text would exhaust its stack.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace annelid::simulation {

/// Far more than any scenario has: keys with one dot, and lists of lists.
inline constexpr std::size_t kMostKeyParts = 16, kMostNested = 16;

struct TooDeep {
  std::size_t line = 0;  ///< 1 is the first
  std::string found;
};

/// Returns the first key or header of more than kMostKeyParts parts, or the first bracket in more
/// than kMostNested others. Dots and brackets in strings and comments do not count. The text need
/// not be TOML: everything before the first mistake is judged as the parser would read it.
[[nodiscard]] std::optional<TooDeep> find_too_deep(std::string_view toml);

}  // namespace annelid::simulation
