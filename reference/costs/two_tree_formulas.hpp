// Closed forms of 2Tree (Sanders, Speck and Träff 2009) for p processes and n units in the model of
// Section 2: a step takes alpha + beta m for m units, and a process sends one message and receives
// one message at a time. The formulas round where the paper does. log is the binary logarithm. A
// binomial tree is mst_broadcast() of reference/costs/formulas.hpp.
#pragma once

#include "reference/costs/formulas.hpp"

namespace annelid::reference::formulas {

/// Lower bounds of a broadcast (Section 2): by the number of steps, and by what every process must
/// receive. For a reduction with an operator that does not commute, to a root that is neither first
/// nor last, the second bound is twice as large (footnote 11).
double latency_bound(const Cost& c, int p);           ///< alpha log p
double bandwidth_bound(const Cost& c, double units);  ///< beta n

/// The steps of a pipelined algorithm, and the number of trees that share the units. k packets of
/// each tree take (fixed + per_packet k) (alpha + beta n / (trees k)).
struct Pipelined {
  double fixed = 0, per_packet = 0, trees = 1;

  [[nodiscard]] double at(const Cost& c, double units, double packets) const;
  /// The k for which this time is least: sqrt(fixed beta n / (per_packet trees alpha)).
  [[nodiscard]] double best_packets(const Cost& c, double units) const;
  /// The time with the best number of packets, without rounding.
  [[nodiscard]] double best(const Cost& c, double units) const;
};

Pipelined linear_pipeline_steps(int p);        ///< p + k (Section 2)
Pipelined pipelined_binary_tree_steps(int p);  ///< Equation 1: 2 (log p + k)
/// Section 4.1. `height` is that of the tree with its source above it: 2 h + 2 k, two trees; k* =
/// sqrt(beta n h / 2 alpha).
Pipelined two_tree_steps(double height);
/// Section 4.3: "about twice" a broadcast, because packets go up and down.
Pipelined two_tree_scan_steps(double height);
/// Section 5.2, for processes that cannot send and receive at once. Every step is done twice, so
/// long messages take 2 beta n (which is optimal; a single tree takes at least 3 beta n). `height`
/// is that of the tree of couples.
Pipelined two_tree_couples_steps(double height);
/// Section 2, from its reference [19]: 3 k + 4 log p. The time of a packet is printed there as beta
/// p / k.
Pipelined doubly_pipelined_scan_steps(int p);

/// Equation 2: beta n + 2 alpha log p + sqrt(8 alpha beta n log p).
double two_tree_time(const Cost& c, int p, double units);

/// h of Section 4.1 for all p processes, of which the source is one: ceil(log(p + 1)) (footnote 8).
int two_tree_broadcast_height(int p);

}  // namespace annelid::reference::formulas
