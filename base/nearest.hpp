// Finds the known word nearest to a mistyped one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace annelid {

/// The first of the `known` words that is the fewest edits away from `word`. An edit adds, removes
/// or replaces a character, or swaps two neighbours. Empty if that takes more edits than a third of
/// the word's letters; one edit is always allowed in a word of at least two letters.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> known);

/// For the end of a message: ` (did you mean "edn"?)`; empty if no known word is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> known);

}  // namespace annelid
