// The tau-model: fits, the regions of the tau-plot, crossover lengths. State space: exact lines,
// lines with deviations whose fit is known, the four regions and their borders, lines that meet at
// a length, at none, and before 0.
#include "reference/costs/tau_model.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace annelid::reference::tau {
namespace {

using formulas::LinearTime;

TEST(TauModel, FitGivesALineBack) {
  const LinearTime line{170, 0.45};
  std::vector<Sample> samples;
  for (const double length : {32.0, 100.0, 512.0, 65536.0}) {
    samples.push_back({length, line.at(length)});
  }
  const Fit found = fit(samples);
  EXPECT_NEAR(found.line.start, 170, 1e-9);
  EXPECT_NEAR(found.line.per_length, 0.45, 1e-12);
  EXPECT_NEAR(found.line.tau(), 0.45 / 170, 1e-12);
  EXPECT_LT(found.worst, 1e-12);
}

TEST(TauModel, FitHasTheLeastSquares) {
  // By hand: means 2 and 3, slope ((-1)(-1) + 0 + (1)(2)) / 2 = 1.5, start 0.
  const std::vector<Sample> samples = {{1, 2}, {2, 2}, {3, 5}};
  const Fit found = fit(samples);
  EXPECT_NEAR(found.line.per_length, 1.5, 1e-12);
  EXPECT_NEAR(found.line.start, 0, 1e-12);
  EXPECT_NEAR(found.worst, 1.0 / 3, 1e-12);  // 2 for 1.5, 2 for 3, 5 for 4.5
}

TEST(TauModel, OneLengthIsNoLine) {
  EXPECT_THROW(fit({}), std::invalid_argument);
  const std::vector<Sample> samples = {{8, 1}, {8, 2}};
  EXPECT_THROW(fit(samples), std::invalid_argument);
}

TEST(TauModel, FitOverAGeneralLengthFunctionGivesItsLineBack) {
  const LengthFunction f = LengthFunction::parse("L + 0.001 * L^2");
  std::vector<Sample> samples;
  for (const double length : {32.0, 512.0, 4096.0}) {
    samples.push_back({length, 170 + 0.45 * (length + 0.001 * length * length)});
  }
  const Fit found = fit(samples, f);
  EXPECT_NEAR(found.line.start, 170, 1e-6);
  EXPECT_NEAR(found.line.per_length, 0.45, 1e-9);
  EXPECT_LT(found.worst, 1e-9);
  EXPECT_GT(fit(samples).worst, 0.1);  // no line over L
  EXPECT_THROW(fit(samples, LengthFunction::parse("min(L, 8)")), std::invalid_argument);
}

TEST(TauModel, CrossoverIsWhereFReachesTheQuotientOfEquation5_5) {
  const LengthFunction square = LengthFunction::parse("L^2");
  const auto length = crossover_length({100, 2}, {544, 1}, square);
  ASSERT_TRUE(length);
  EXPECT_NEAR(*length, std::sqrt(444), 1e-9);
  EXPECT_FALSE(crossover_length({100, 2}, {544, 1}, LengthFunction::parse("min(L, 400)")));
}

TEST(TauModel, RegionsAreThoseOfFigure5_2) {
  const LinearTime x{100, 1};  // tau 0.01
  EXPECT_EQ(region({50, 0.25}, x), Region::kA);
  EXPECT_EQ(region({200, 4}, x), Region::kB);
  EXPECT_EQ(region({200, 1}, x), Region::kC);
  EXPECT_EQ(region({50, 1}, x), Region::kD);
  EXPECT_EQ(region({100, 3}, x), Region::kOnAxis);
  EXPECT_EQ(region({200, 2}, x), Region::kOnAxis);
}

TEST(TauModel, InRegionsAAndBOneIsFasterAtEveryLengthInCAndDBeforeTheCrossover) {
  const LinearTime x{100, 1};
  for (const double start : {10.0, 90.0, 110.0, 1000.0}) {
    for (const double tau : {0.001, 0.009, 0.011, 0.1}) {
      const LinearTime point{start, start * tau};
      const auto length = crossover_length(point, x);
      switch (region(point, x)) {
        case Region::kA:
        case Region::kB:
          EXPECT_FALSE(length) << start << " " << tau;
          break;
        case Region::kC:
          if (length) {
            EXPECT_LT(point.at(2 * *length), x.at(2 * *length));
          }
          EXPECT_GT(point.at(1), x.at(1));
          break;
        case Region::kD:
          if (length) {
            EXPECT_GT(point.at(2 * *length), x.at(2 * *length));
          }
          EXPECT_LT(point.at(1), x.at(1));
          break;
        case Region::kOnAxis:
          FAIL();
      }
    }
  }
}

TEST(TauModel, CrossoverOfScatterCollectAndFibonacciTreeIsThatOfSection5_4_2) {
  const formulas::Cost c{1.5, 0.009, 1.5};
  const auto length =
      crossover_length(formulas::scatter_collect(c, 5), formulas::fibonacci_tree(c, 5, 18));
  ASSERT_TRUE(length);
  EXPECT_NEAR(*length, 427.26, 0.005);  // printed 425.5, from rounded numbers
  EXPECT_FALSE(crossover_length({1, 1}, {2, 1}));
}

}  // namespace
}  // namespace annelid::reference::tau
