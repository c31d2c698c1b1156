// The known word that a mistyped one is nearest to.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace annelid {

/// The first of `known` with the fewest changes from `word`: a character added, left out, replaced,
/// or exchanged with the next. Empty if that takes more changes than a third of its letters, but
/// one change always may, of a word of at least two.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> known);

/// For the end of a message: ` (did you mean "edn"?)`; empty if no known word is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> known);

}  // namespace annelid
