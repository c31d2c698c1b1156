// Claims with their verdicts. The tolerances are those of words, fixed here for all items.
#pragma once

#include <string>

#include "studies/reproduce/outcome.hpp"

namespace annelid::reproduction {

inline constexpr double kAlmostExactly = 0.02;  ///< "agree almost exactly"
inline constexpr double kApproximately = 0.10;  ///< "approximately", "about"
/// "approximately 27 percent", of an advantage: so much more or less, 0.03 for 24 to 30 %.
inline constexpr double kPercentPoints = 0.03;

/// A number that must be the paper's: equal if it is as far as the paper prints it, half a unit of
/// its last decimal place, else by the tolerance. `why` stays unless they are equal.
Claim number(std::string text, double paper, int decimals, double ours, double tolerance,
             const std::string& unit = {}, std::string why = {});

/// A number of steps, nodes, messages: equal or not.
Claim count(std::string text, long paper, long ours, std::string why = {});

/// A share in percent, with a tolerance in percentage points (0.03).
Claim share(std::string text, double paper, double ours, double points, std::string why = {});

/// "less than 1/3" and the like: true or not. The deviation is that from the bound.
Claim below(std::string text, double bound, std::string paper, double ours, std::string why = {});
Claim above(std::string text, double bound, std::string paper, double ours, std::string why = {});

/// Words.
Claim words(std::string text, std::string paper, bool holds, std::string ours,
            std::string why = {});

Claim not_yet(std::string text, std::string paper, std::string why);

}  // namespace annelid::reproduction
