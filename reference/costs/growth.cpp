#include "reference/costs/growth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>

#include "reference/costs/least_squares.hpp"

namespace annelid::reference {
namespace {

constexpr double kConstantWithin = 0.01;
constexpr double kToldApart = 4;  // squares: twice the root mean square

Growth grown(Order order, std::span<const NodeValue> values) {
  std::vector<Factors> points;
  std::vector<double> wanted;
  for (const NodeValue& v : values) {
    points.push_back(order == Order::kConstant ? Factors{1} : Factors{1, at_nodes(order, v.nodes)});
    wanted.push_back(v.value);
  }
  const LeastSquares found = least_squares(points, wanted);
  Growth growth{order, *found.unknowns[0], found.unknowns.size() > 1 ? *found.unknowns[1] : 0, 0,
                0};
  for (const NodeValue& v : values) {
    const double fitted = growth.at(v.nodes);
    growth.squares += (v.value - fitted) * (v.value - fitted);
    growth.worst = std::max(growth.worst, std::abs(v.value / fitted - 1));
  }
  return growth;
}

}  // namespace

std::string_view name_of(Order order) {
  constexpr std::array<std::string_view, kOrders> kNames = {"1", "log2 N",   "sqrt N",
                                                            "N", "N log2 N", "N^2"};
  return kNames[static_cast<std::size_t>(order)];
}

double at_nodes(Order order, double nodes) {
  switch (order) {
    case Order::kConstant:
      return 1;
    case Order::kLogarithm:
      return std::log2(nodes);
    case Order::kRoot:
      return std::sqrt(nodes);
    case Order::kLinear:
      return nodes;
    case Order::kLinearLog:
      return nodes * std::log2(nodes);
    default:
      return nodes * nodes;
  }
}

GrowthFit fit_growth(std::span<const NodeValue> values) {
  std::set<double> different;
  for (const NodeValue& v : values) different.insert(v.nodes);
  if (different.size() < 3) {
    throw std::invalid_argument("a growth needs three different numbers of nodes");
  }
  std::vector<Growth> all;
  all.reserve(kOrders);
  for (int order = 0; order < kOrders; ++order) {
    all.push_back(grown(static_cast<Order>(order), values));
  }
  const bool constant = all.front().worst <= kConstantWithin;
  std::ranges::stable_sort(constant ? std::span(all).subspan(1) : std::span(all), {},
                           &Growth::squares);
  GrowthFit fit{all[0], all[1], false};
  // An order contains the constant, so it never has more squares: a constant needs no margin.
  fit.told_apart =
      different.size() >= 4 && (constant || fit.second.squares >= kToldApart * fit.best.squares);
  return fit;
}

}  // namespace annelid::reference
