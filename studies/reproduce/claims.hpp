// Makes claims with their verdicts. The papers' words have the tolerances below, which are the same
// for all items.
//
// Each function takes what is claimed, and how we have our value (sides.hpp). A reason is kept
// unless the verdict is that they are equal.
#pragma once

#include <string>

#include "studies/reproduce/outcome.hpp"
#include "studies/reproduce/sides.hpp"

namespace annelid::reproduction {

inline constexpr double kAlmostExactly = 0.02;  ///< "agree almost exactly"
inline constexpr double kApproximately = 0.10;  ///< "approximately", "about"
/// "approximately 27 percent" of an advantage: the tolerance in either direction; 0.03 accepts 24
/// to 30 %.
inline constexpr double kPercentPoints = 0.03;

/// Compares our number with the paper's. They are equal if they agree to half a unit of the last
/// decimal place that the paper prints; otherwise the tolerance decides.
Claim number(std::string text, const Printed& paper, double ours, const Ours& by, double tolerance,
             const Reason& why = {});
Claim number(std::string text, const Formula& formula, double ours, const Observed& by,
             double tolerance, const Reason& why = {});

/// Compares a number of steps, nodes or messages: equal or not.
Claim count(std::string text, const Printed& paper, long ours, const Ours& by,
            const Reason& why = {});

Claim count(std::string text, const Formula& formula, long ours, const Observed& by,
            const Reason& why = {});

/// Compares a share of 1 with a printed percentage, with a tolerance in percentage points (0.03).
Claim share(std::string text, const Printed& paper, double ours, const Ours& by, double points,
            const Reason& why = {});

/// Check claims such as "less than 1/3": true or not. The bound is what the words mean
/// (Printed::meaning). The deviation is measured from it.
Claim below(std::string text, const Printed& paper, double ours, const Ours& by,
            const Reason& why = {});
Claim above(std::string text, const Printed& paper, double ours, const Ours& by,
            const Reason& why = {});

/// Makes a claim in words. `ours` says what we found.
Claim words(std::string text, const Printed& paper, bool holds, std::string ours, const Ours& by,
            const Reason& why = {});
Claim words(std::string text, const Formula& formula, bool holds, std::string ours,
            const Observed& by, const Reason& why = {});
Claim words(std::string text, const Scheduled& schedule, bool holds, std::string ours,
            const OnHardware& by, const Reason& why = {});

/// There is no result; `why` says in sentences what is missing.
Claim not_yet(std::string text, const Printed& paper, std::string why);

}  // namespace annelid::reproduction
