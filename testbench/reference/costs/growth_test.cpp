// How parameters grow with the number of nodes. State space: exact values of every order, values
// with known noise, constants, too few numbers of nodes.
#include "reference/costs/growth.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace annelid::reference {
namespace {

std::vector<NodeValue> grown(Order order, double start, double slope,
                             const std::vector<double>& nodes) {
  std::vector<NodeValue> values;
  for (const double n : nodes) values.push_back({n, start + slope * at_nodes(order, n)});
  return values;
}

TEST(Growth, FindsEveryOrderAgainWithItsParameters) {
  for (int i = 1; i < kOrders; ++i) {
    const auto order = static_cast<Order>(i);
    const GrowthFit fit = fit_growth(grown(order, 12.5, 3, {2, 4, 8, 16, 64}));
    EXPECT_EQ(fit.best.order, order) << name_of(order);
    EXPECT_NEAR(fit.best.start, 12.5, 1e-6) << name_of(order);
    EXPECT_NEAR(fit.best.slope, 3, 1e-6) << name_of(order);
    EXPECT_LT(fit.best.worst, 1e-9) << name_of(order);
    EXPECT_TRUE(fit.told_apart) << name_of(order);
  }
}

TEST(Growth, WithinAPercentIsAConstant) {
  const GrowthFit fit =
      fit_growth(std::vector<NodeValue>{{2, 100}, {4, 101}, {8, 100}, {16, 99.5}});
  EXPECT_EQ(fit.best.order, Order::kConstant);
  EXPECT_NEAR(fit.best.start, 100.125, 1e-9);
  EXPECT_EQ(fit.best.slope, 0);
  EXPECT_NE(fit.second.order, Order::kConstant);
}

TEST(Growth, ThreeNumbersOfNodesDoNotTellOrdersApart) {
  const GrowthFit fit = fit_growth(grown(Order::kLogarithm, 1, 2, {2, 4, 8}));
  EXPECT_EQ(fit.best.order, Order::kLogarithm);
  EXPECT_FALSE(fit.told_apart);
}

TEST(Growth, NoiseThatHidesTheOrderIsSaid) {
  // Between log2 N and sqrt N, off by several percent.
  const GrowthFit fit =
      fit_growth(std::vector<NodeValue>{{2, 21}, {4, 29}, {8, 41}, {16, 50}, {32, 68}});
  EXPECT_FALSE(fit.told_apart);
}

TEST(Growth, NeedsThreeNumbersOfNodes) {
  EXPECT_THROW((void)fit_growth(std::vector<NodeValue>{{2, 1}, {4, 2}, {4, 3}}),
               std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
