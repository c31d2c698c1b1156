// Makes claims with their verdicts. The papers' words have the tolerances below, which are the same
// for all items.
#pragma once

#include <string>

#include "studies/reproduce/outcome.hpp"

namespace annelid::reproduction {

inline constexpr double kAlmostExactly = 0.02;  ///< "agree almost exactly"
inline constexpr double kApproximately = 0.10;  ///< "approximately", "about"
/// "approximately 27 percent" of an advantage: the tolerance in either direction; 0.03 accepts 24
/// to 30 %.
inline constexpr double kPercentPoints = 0.03;

/// Compares our number with the paper's. They are equal if they agree to half a unit of the last
/// decimal place that the paper prints; otherwise the tolerance decides. `why` is kept unless they
/// are equal.
Claim number(std::string text, double paper, int decimals, double ours, double tolerance,
             const std::string& unit = {}, std::string why = {});

/// Compares a number of steps, nodes or messages: equal or not.
Claim count(std::string text, long paper, long ours, std::string why = {});

/// Compares a share in percent, with a tolerance in percentage points (0.03).
Claim share(std::string text, double paper, double ours, double points, std::string why = {});

/// Check claims such as "less than 1/3": true or not. The deviation is measured from the bound.
Claim below(std::string text, double bound, std::string paper, double ours, std::string why = {});
Claim above(std::string text, double bound, std::string paper, double ours, std::string why = {});

/// Makes a claim in words.
Claim words(std::string text, std::string paper, bool holds, std::string ours,
            std::string why = {});

Claim not_yet(std::string text, std::string paper, std::string why);

}  // namespace annelid::reproduction
