#include "traffic/samples.hpp"

#include <gtest/gtest.h>

namespace annelid::traffic {
namespace {

TEST(Samples, OfNothingHaveNoStatistics) {
  Samples s;
  EXPECT_EQ(s.count(), 0u);
  EXPECT_EQ(s.mean(), std::nullopt);
  EXPECT_EQ(s.quantile(0.5), std::nullopt);
  EXPECT_EQ(s.min(), std::nullopt);
  EXPECT_EQ(s.max(), std::nullopt);
  s.add(0);  // is something
  EXPECT_EQ(s.mean(), 0);
  EXPECT_EQ(s.quantile(0.5), 0u);
  EXPECT_EQ(s.min(), 0u);
  EXPECT_EQ(s.max(), 0u);
}

TEST(Samples, QuantilesOfOneToHundredAreTheirRanks) {
  Samples s;
  for (std::uint64_t v = 100; v > 0; --v) s.add(v);
  EXPECT_EQ(s.quantile(0.5), 50u);
  EXPECT_EQ(s.quantile(0.95), 95u);
  EXPECT_EQ(s.quantile(0.99), 99u);
  EXPECT_EQ(s.quantile(1), 100u);
  EXPECT_EQ(s.quantile(0.001), 1u);
  EXPECT_DOUBLE_EQ(s.mean().value(), 50.5);
}

TEST(Samples, AFewOutliersMoveTheMeanButNotTheMedian) {
  Samples s;
  for (int i = 0; i < 97; ++i) s.add(10);
  for (int i = 0; i < 3; ++i) s.add(1'000'000);  // beyond the dense part of the histogram
  EXPECT_EQ(s.quantile(0.5), 10u);
  EXPECT_EQ(s.quantile(0.97), 10u);
  EXPECT_EQ(s.quantile(0.98), 1'000'000u);
  EXPECT_EQ(s.min(), 10u);
  EXPECT_EQ(s.max(), 1'000'000u);
  EXPECT_DOUBLE_EQ(s.mean().value(), (97 * 10 + 3e6) / 100);
}

}  // namespace
}  // namespace annelid::traffic
