#include "reference/costs/two_tree_formulas.hpp"

#include <cmath>

namespace annelid::reference::formulas {

double latency_bound(const Cost& c, int p) { return c.alpha * std::log2(p); }
double bandwidth_bound(const Cost& c, double units) { return c.beta * units; }

double Pipelined::at(const Cost& c, double units, double packets) const {
  return (fixed + per_packet * packets) * (c.alpha + c.beta * units / (trees * packets));
}
double Pipelined::best_packets(const Cost& c, double units) const {
  return std::sqrt(fixed * c.beta * units / (per_packet * trees * c.alpha));
}
double Pipelined::best(const Cost& c, double units) const {
  return at(c, units, best_packets(c, units));
}

Pipelined linear_pipeline_steps(int p) { return {static_cast<double>(p), 1, 1}; }
Pipelined pipelined_binary_tree_steps(int p) { return {2 * std::log2(p), 2, 1}; }
Pipelined two_tree_steps(double height) { return {2 * height, 2, 2}; }
Pipelined two_tree_scan_steps(double height) { return {4 * height, 4, 2}; }
Pipelined two_tree_couples_steps(double height) { return {4 * height, 4, 2}; }
Pipelined doubly_pipelined_scan_steps(int p) { return {4 * std::log2(p), 3, 1}; }

double two_tree_time(const Cost& c, int p, double units) {
  const double log_p = std::log2(p);
  return c.beta * units + 2 * c.alpha * log_p + std::sqrt(8 * c.alpha * c.beta * units * log_p);
}

int two_tree_broadcast_height(int p) { return fewest_steps(static_cast<std::uint64_t>(p) + 1, 1); }

}  // namespace annelid::reference::formulas
