#include "reference/costs/tau_model.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace annelid::reference::tau {

Fit fit(std::span<const Sample> measured, const LengthFunction& f) {
  std::vector<Sample> samples(measured.begin(), measured.end());
  for (Sample& s : samples) s.length = f(s.length);
  const auto n = static_cast<double>(samples.size());
  double mean_length = 0, mean_time = 0;
  for (const Sample& s : samples) {
    mean_length += s.length / n;
    mean_time += s.time / n;
  }
  double lengths = 0, products = 0;  // about the means: no loss of digits at long messages
  for (const Sample& s : samples) {
    lengths += (s.length - mean_length) * (s.length - mean_length);
    products += (s.length - mean_length) * (s.time - mean_time);
  }
  if (lengths == 0) throw std::invalid_argument("a fit needs messages of two different lengths");

  Fit result;
  result.line.per_length = products / lengths;
  result.line.start = mean_time - result.line.per_length * mean_length;
  for (const Sample& s : samples) {
    result.worst = std::max(result.worst, std::abs(s.time / result.line.at(s.length) - 1));
  }
  return result;
}

Region region(const formulas::LinearTime& point, const formulas::LinearTime& x) {
  if (point.start == x.start || point.tau() == x.tau()) return Region::kOnAxis;
  if (point.start < x.start) return point.tau() < x.tau() ? Region::kA : Region::kD;
  return point.tau() < x.tau() ? Region::kC : Region::kB;
}

std::optional<double> crossover_length(const formulas::LinearTime& a, const formulas::LinearTime& b,
                                       const LengthFunction& f) {
  const double value = formulas::crossover(a, b);
  if (!std::isfinite(value) || value <= 0) return std::nullopt;
  return f.inverse(value);
}

}  // namespace annelid::reference::tau
