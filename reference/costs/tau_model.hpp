// The tau-model (Tsai 1997, Section 5.1): T = T_s + T_n f(L), a point (tau, T_s) with
// tau = T_n / T_s in the tau-plot. The latency formula itself is formulas::LinearTime, over f(L).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "reference/costs/formulas.hpp"
#include "reference/costs/length_function.hpp"

namespace annelid::reference::tau {

/// Time of a message, in any units.
struct Sample {
  double length = 0, time = 0;
};

struct Fit {
  formulas::LinearTime line;
  double worst = 0;  ///< largest deviation of a sample's time from the line, as a share of it
};

/// Fits a line over f(L) by least squares of the differences in time (5.2). Throws
/// std::invalid_argument if f has not two different values at the lengths.
Fit fit(std::span<const Sample> samples, const LengthFunction& f = {});

/// The position of a point relative to x, in the quadrants of Figure 5.2: tau to the right, T_s
/// upwards.
enum class Region : std::uint8_t {
  kA,      ///< below and left: faster than x at every length
  kB,      ///< above and right: slower at every length
  kC,      ///< above and left: for long messages, beyond the crossover if there is one
  kD,      ///< below and right: for short messages
  kOnAxis  ///< T_s or tau is that of x
};
Region region(const formulas::LinearTime& point, const formulas::LinearTime& x);

/// L* (Eq. 5.5): the length above 0 at which both take equally long, or nothing if one of them is
/// faster at every length. Both have the same f. Beyond it, the one with the smaller T_n is faster.
/// (Eq. 5.7 has the signs of T_n3 > T_n2; for the case that the text then treats, T_s3 > T_s2 and
/// T_n3 < T_n2, they are reversed.)
std::optional<double> crossover_length(const formulas::LinearTime& a, const formulas::LinearTime& b,
                                       const LengthFunction& f = {});

}  // namespace annelid::reference::tau
