// How a parameter of a model grows with the number of nodes: T_s(N) and T_n(N) of Eq. 5.1, one of
// whose parameters is the "communication group size"; t0(n) and r_inf(n) of Xu and Hwang's model
// (Tsai 1997, Sections 5.1.1 and 2.7).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace annelid::reference {

/// An order of complexity, as c(N) in start + slope * c(N).
enum class Order : std::uint8_t {
  kConstant,   ///< 1
  kLogarithm,  ///< log2 N: trees
  kRoot,       ///< sqrt N: the side of a square mesh
  kLinear,     ///< N: rings, and one process after the other
  kLinearLog,  ///< N log2 N
  kSquare      ///< N^2: a token that visits all pairs
};
inline constexpr int kOrders = 6;
[[nodiscard]] std::string_view name_of(Order order);
[[nodiscard]] double at_nodes(Order order, double nodes);

struct NodeValue {
  double nodes = 0, value = 0;
};

struct Growth {
  Order order = Order::kConstant;
  double start = 0, slope = 0;  ///< slope is 0 for a constant
  double worst = 0;             ///< largest deviation of a value from this, as a share of it
  double squares = 0;           ///< sum of the squared differences

  [[nodiscard]] double at(double nodes) const { return start + slope * at_nodes(order, nodes); }
};

struct GrowthFit {
  Growth best;    ///< the constant if it is within 1 %, else the order with the least squares
  Growth second;  ///< the order with the least squares among the others
  /// Whether the values tell the two apart: there are at least four different numbers of nodes, and
  /// the root mean square of the second is at least twice that of the best.
  bool told_apart = false;
};

/// Fits every order by least squares. Throws std::invalid_argument for fewer than three different
/// numbers of nodes.
[[nodiscard]] GrowthFit fit_growth(std::span<const NodeValue> values);

}  // namespace annelid::reference
