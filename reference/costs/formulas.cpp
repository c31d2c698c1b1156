#include "reference/costs/formulas.hpp"

#include <cmath>

#include "reference/trees/fibonacci_tree.hpp"

namespace annelid::reference::formulas {
namespace {

/// sends * alpha + receptions * (gamma + length * beta) + hops * beta.
LinearTime line(const Cost& c, double sends, double receptions, double hops = 0) {
  return {sends * c.alpha + receptions * c.gamma + hops * c.beta, receptions * c.beta};
}

double power_of_2(int n) { return std::ldexp(1.0, n); }

double steps_to_double(int p) { return fewest_steps(static_cast<std::uint64_t>(p), 1); }

LinearTime sum(const LinearTime& a, const LinearTime& b) {
  return {a.start + b.start, a.per_length + b.per_length};
}

}  // namespace

double crossover(const LinearTime& a, const LinearTime& b) {
  return (a.start - b.start) / (b.per_length - a.per_length);
}

double message(const Cost& c, double hops, double length) { return line(c, 1, 1, hops).at(length); }

LinearTime recursive_doubling_2d(const Cost& c, int k) { return line(c, 2 * k, 2 * k); }
LinearTime edn_2d(const Cost& c, int k) { return line(c, 3 * k, k + 1); }
LinearTime recursive_doubling_3d(const Cost& c, int k, int m) {
  return line(c, 2 * k + m + 6, 2 * k + m + 6);
}
LinearTime edn_3d(const Cost& c, int k, int m) { return line(c, 3 * k + 2 * m + 10, k + m + 4); }

LinearTime edn_torus(const Cost& c, int d) {
  return line(c, 3 * d, d, 2 * (power_of_2(d + 1) - 2 + d % 2) / 3);
}
LinearTime u_torus(const Cost& c, int x, int y) {
  const double steps = steps_to_double(x) + steps_to_double(y);
  return line(c, steps, steps, x + y - 2);
}
bool edn_torus_is_not_slower(const Cost& c, int d, double length) {
  return d * c.alpha <=
         d * c.gamma + d * length * c.beta + 2 * (power_of_2(d) - 1 - d % 2) / 3 * c.beta;
}

LinearTime dimensional_broadcast(const Cost& c, int n) {
  return line(c, 2 * n, 2 * n, 2 * (power_of_2(n) - 1));
}
LinearTime scatter_collect(const Cost& c, int n) {
  const double messages = 2 * (power_of_2(n) - 1 + n);
  return {messages * (c.alpha + c.gamma) + 6 * (power_of_2(n) - 1) * c.beta,
          2 * (1 - power_of_2(-2 * n)) * c.beta};
}
LinearTime fibonacci_tree(const Cost& c, int n, int packets) {
  const int t = fibonacci_steps(std::uint64_t{1} << (2 * n), packets);
  return {t * (c.alpha + c.gamma) + 2 * packets * (power_of_2(n) - 1) * c.beta,
          t * c.beta / packets};
}
LinearTime edn_approximate(const Cost& c, int n) {
  return line(c, 3 * n, n + 1, power_of_2(n) - 1);
}

LinearTime token_all_to_all(const Cost& c, int nodes) {
  const double messages = static_cast<double>(nodes) * (nodes - 1);
  return {messages * c.alpha, messages * c.beta};
}

LinearTime mst_broadcast(const Cost& c, int p) {
  return {steps_to_double(p) * c.alpha, steps_to_double(p) * c.beta};
}
LinearTime mst_scatter(const Cost& c, int p) {
  return {steps_to_double(p) * c.alpha, (p - 1.0) / p * c.beta};
}
LinearTime bucket_collect(const Cost& c, int p) {
  return {(p - 1) * c.alpha, (p - 1.0) / p * c.beta};
}
LinearTime bucket_combine(const Cost& c, int p, double combine) {
  return {(p - 1) * c.alpha, (p - 1.0) / p * (c.beta + combine)};
}
LinearTime scatter_collect_line(const Cost& c, int p) {
  return sum(mst_scatter(c, p), bucket_collect(c, p));
}
LinearTime scatter_collect_mesh(const Cost& c, int rows, int columns) {
  LinearTime within = scatter_collect_line(c, rows);
  within.per_length /= columns;  // a column of `rows` nodes handles one of `columns` pieces
  return sum(scatter_collect_line(c, columns), within);
}

}  // namespace annelid::reference::formulas
