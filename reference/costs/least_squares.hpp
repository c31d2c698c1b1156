// Linear least squares with a few unknowns. It tells which unknowns the points do not determine.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace annelid::reference {

/// The factors of the unknowns in the equation of one point.
using Factors = std::vector<double>;

struct LeastSquares {
  /// By unknown. Nothing where any other value fits the points as well.
  std::vector<std::optional<double>> unknowns;
  std::size_t rank = 0;        ///< combinations of unknowns that the points determine
  std::vector<double> fitted;  ///< by point

  /// Returns the value of the equation with these factors. Returns nothing if a factor other than 0
  /// belongs to an unknown that is not determined.
  [[nodiscard]] std::optional<double> at(const Factors& factors) const;
};

/// Finds the unknowns with the least sum of squared differences from `values`. All points have the
/// same number of factors, at least one, and there are as many values as points.
[[nodiscard]] LeastSquares least_squares(std::span<const Factors> points,
                                         std::span<const double> values);

}  // namespace annelid::reference
