#include "reference/costs/least_squares.hpp"

#include <cmath>
#include <numeric>
#include <utility>

namespace annelid::reference {
namespace {

using Column = std::vector<double>;

/// A column that differs from a sum of others by less than this share of itself depends on them.
constexpr double kDependent = 1e-9;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// A column less its part in the space of the basis. It is taken off twice, because rounding leaves
/// some of it the first time.
Column rest_of(Column column, const std::vector<Column>& basis) {
  for (int pass = 0; pass < 2; ++pass) {
    for (const Column& q : basis) {
      const double part = dot(q, column);
      for (std::size_t i = 0; i < column.size(); ++i) column[i] -= part * q[i];
    }
  }
  return column;
}

/// The rest, or nothing if the column depends on the basis.
std::optional<Column> independent_rest(const Column& column, const std::vector<Column>& basis) {
  Column rest = rest_of(column, basis);
  const double length = std::sqrt(dot(column, column));
  if (length == 0 || std::sqrt(dot(rest, rest)) < kDependent * length) return std::nullopt;
  return rest;
}

/// An orthonormal basis of all columns except one.
std::vector<Column> basis_without(const std::vector<Column>& columns, std::size_t left_out) {
  std::vector<Column> basis;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (j == left_out) continue;
    std::optional<Column> rest = independent_rest(columns[j], basis);
    if (!rest) continue;
    const double length = std::sqrt(dot(*rest, *rest));
    for (double& x : *rest) x /= length;
    basis.push_back(std::move(*rest));
  }
  return basis;
}

}  // namespace

std::optional<double> LeastSquares::at(const Factors& factors) const {
  double sum = 0;
  for (std::size_t j = 0; j < factors.size(); ++j) {
    if (factors[j] == 0) continue;
    if (!unknowns[j]) return std::nullopt;
    sum += factors[j] * *unknowns[j];
  }
  return sum;
}

LeastSquares least_squares(std::span<const Factors> points, std::span<const double> values) {
  const std::size_t count = points.empty() ? 0 : points.front().size();
  std::vector<Column> columns(count, Column(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < count; ++j) columns[j][i] = points[i][j];
  }
  LeastSquares result;
  for (std::size_t j = 0; j < count; ++j) {
    // The unknown is that of its column alone: of what the other columns cannot stand for.
    const std::optional<Column> own = independent_rest(columns[j], basis_without(columns, j));
    result.unknowns.push_back(own ? std::optional(dot(*own, values) / dot(*own, *own))
                                  : std::nullopt);
  }
  const std::vector<Column> basis = basis_without(columns, count);
  result.rank = basis.size();
  result.fitted.assign(points.size(), 0);
  for (const Column& q : basis) {
    const double part = dot(q, values);
    for (std::size_t i = 0; i < points.size(); ++i) result.fitted[i] += part * q[i];
  }
  return result;
}

}  // namespace annelid::reference
