// Fits of Postal, LogP, LogGP, Hockney and Xu-Hwang. State space: points of known parameters, exact
// and with noise of known size; points that leave a parameter open, one for each way; what the
// models predict of other streams and of binomial trees, by hand; points they do not speak of.
#include "reference/costs/communication_models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace annelid::reference::models {
namespace {

using ::testing::HasSubstr;

const Parameter& parameter(const ModelFit& fit, const std::string& symbol) {
  for (const Parameter& p : fit.parameters) {
    if (p.symbol == symbol) return p;
  }
  throw std::out_of_range(symbol);
}

double value(const ModelFit& fit, const std::string& symbol) {
  return parameter(fit, symbol).value.value_or(std::nan(""));
}

/// A machine of known parameters.
struct Machine {
  double set_up = 100, sender = 30, receiver = 10, latency = 7, gap = 42, per_byte = 0.125;

  [[nodiscard]] Point stream(double k, double m) const {
    const double time =
        set_up + sender + latency + receiver + k * (m - 1) * per_byte + (k - 1) * gap;
    return {2, k, m, time, set_up + k * sender, receiver};
  }
  [[nodiscard]] std::vector<Point> streams(const std::vector<double>& messages,
                                           const std::vector<double>& lengths) const {
    std::vector<Point> points;
    for (const double m : lengths) {
      for (const double k : messages) points.push_back(stream(k, m));
    }
    return points;
  }
};

/// Multiplies every time by a number between 1 - part and 1 + part.
void add_noise(std::vector<Point>& points, double part) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(1 - part, 1 + part);
  for (Point& p : points) p.time *= noise(random);
}

TEST(CommunicationModels, LogGPGivesTheMachineBack) {
  const Machine machine;
  const ModelFit found = fit(Model::kLogGP, machine.streams({1, 2, 4, 8}, {8, 64, 512, 4096}));
  EXPECT_NEAR(value(found, "set-up"), 100, 1e-6);
  EXPECT_NEAR(value(found, "o"), 20, 1e-6);
  EXPECT_NEAR(value(found, "o, sender"), 30, 1e-6);
  EXPECT_NEAR(value(found, "o, receiver"), 10, 1e-6);
  EXPECT_NEAR(value(found, "L"), 7, 1e-6);
  EXPECT_NEAR(value(found, "L + 2 o"), 47, 1e-6);
  EXPECT_NEAR(value(found, "g"), 42, 1e-6);
  EXPECT_NEAR(value(found, "G"), 0.125, 1e-9);
  EXPECT_EQ(found.unknowns, 3u);
  EXPECT_LT(found.worst, 1e-9);
  EXPECT_LT(found.worst_left_out.value_or(1), 1e-9);
}

TEST(CommunicationModels, LogPHasTheFlitsOfItsShortMessageInItsLatencyAndGap) {
  Machine machine;
  machine.per_byte = 1;
  const ModelFit found = fit(Model::kLogP, machine.streams({1, 2, 4, 8}, {8}));
  EXPECT_NEAR(value(found, "L"), 7 + 7, 1e-6);
  EXPECT_NEAR(value(found, "g"), 42 + 7, 1e-6);
  EXPECT_NEAR(value(found, "o"), 20, 1e-6);
}

TEST(CommunicationModels, PostalMeasuresTheLatencyInMessages) {
  Machine machine;
  machine.per_byte = 0;
  const ModelFit found = fit(Model::kPostal, machine.streams({1, 2, 4, 8}, {8}));
  EXPECT_NEAR(value(found, "u"), 42, 1e-6);
  EXPECT_NEAR(value(found, "lambda"), 47.0 / 42, 1e-9);
  EXPECT_TRUE(found.remarks.empty());
}

TEST(CommunicationModels, PostalSaysWhereItDoesNotHold) {
  Machine machine;
  machine.gap = 200;
  const ModelFit found = fit(Model::kPostal, machine.streams({1, 2, 4}, {1}));
  EXPECT_NEAR(value(found, "lambda"), 47.0 / 200, 1e-9);
  ASSERT_EQ(found.remarks.size(), 1u);
  EXPECT_THAT(found.remarks[0], HasSubstr("asserts at least 1"));
}

TEST(CommunicationModels, HockneyGivesALineBack) {
  std::vector<Point> points;
  for (const double m : {0.0, 64.0, 512.0, 4096.0}) points.push_back({2, 1, m, 40 + m / 8});
  const ModelFit found = fit(Model::kHockney, points);
  EXPECT_NEAR(value(found, "t0"), 40, 1e-9);
  EXPECT_NEAR(value(found, "r_inf"), 8, 1e-9);
  EXPECT_NEAR(value(found, "m_1/2"), 320, 1e-6);
  EXPECT_NEAR(*found.predict({2, 1, 1000, 0}), 165, 1e-9);
}

TEST(CommunicationModels, NoiseMovesTheParametersNoFurtherThanItsOwnSize) {
  const Machine machine;
  std::vector<Point> points = machine.streams({1, 2, 4, 8, 16}, {8, 64, 512, 4096, 32768});
  add_noise(points, 0.01);
  const ModelFit found = fit(Model::kLogGP, points);
  EXPECT_NEAR(value(found, "G"), 0.125, 0.125 * 0.02);
  EXPECT_GT(found.worst, 0.002);  // the noise shows
  EXPECT_GT(found.worst_left_out.value_or(0), found.worst);
  std::vector<Point> line;
  for (double m = 64; m <= 65536; m *= 2) line.push_back({2, 1, m, 1000 + m / 8});
  add_noise(line, 0.01);
  const ModelFit hockney = fit(Model::kHockney, line);
  EXPECT_NEAR(value(hockney, "t0"), 1000, 30);
  EXPECT_NEAR(value(hockney, "r_inf"), 8, 8 * 0.02);
  EXPECT_LT(hockney.worst, 0.04);
}

TEST(CommunicationModels, SingleMessagesLeaveTheGapOpen) {
  const Machine machine;
  const ModelFit found = fit(Model::kLogP, machine.streams({1}, {8}));
  EXPECT_FALSE(parameter(found, "g").value);
  EXPECT_THAT(parameter(found, "g").missing, HasSubstr("number of messages"));
  EXPECT_FALSE(parameter(found, "L").value);
  EXPECT_FALSE(parameter(found, "o").value);
  EXPECT_TRUE(parameter(found, "L + 2 o").value);
  const ModelFit postal = fit(Model::kPostal, machine.streams({1}, {8}));
  EXPECT_FALSE(parameter(postal, "lambda").value);
}

TEST(CommunicationModels, TimesWithoutOverheadsLeaveLatencyAndOverheadTogether) {
  std::vector<Point> points = Machine().streams({1, 2, 4}, {8, 512});
  for (Point& p : points) p.sender = p.receiver = std::nullopt;
  const ModelFit found = fit(Model::kLogGP, points);
  EXPECT_NEAR(value(found, "L + 2 o"), 147, 1e-6);  // with the set-up, which nothing tells
  EXPECT_NEAR(value(found, "g"), 42, 1e-6);
  for (const char* symbol : {"L", "o"}) {
    EXPECT_FALSE(parameter(found, symbol).value) << symbol;
    EXPECT_THAT(parameter(found, symbol).missing, HasSubstr("how long the processors are busy"));
  }
}

TEST(CommunicationModels, OneLengthLeavesLogGPOpen) {
  const ModelFit found = fit(Model::kLogGP, Machine().streams({1, 2, 4}, {64}));
  for (const char* symbol : {"L + 2 o", "g", "G"}) {
    EXPECT_FALSE(parameter(found, symbol).value) << symbol;
    EXPECT_THAT(parameter(found, symbol).missing, HasSubstr("one length")) << symbol;
  }
  EXPECT_LT(found.worst, 1e-9);  // what the points do determine fits them
}

TEST(CommunicationModels, AnOverheadThatHidesTheGapIsSaid) {
  Machine machine;
  machine.gap = machine.sender;  // the sender is never idle
  const ModelFit found = fit(Model::kLogP, machine.streams({1, 2, 4}, {1}));
  EXPECT_FALSE(parameter(found, "g").value);
  EXPECT_THAT(parameter(found, "g").missing, HasSubstr("at most the sender's o"));
}

TEST(CommunicationModels, ANegativeParameterIsSaid) {
  const std::vector<Point> points = {{2, 1, 8, 1}, {2, 1, 64, 20}, {2, 1, 512, 200}};
  const ModelFit found = fit(Model::kHockney, points);
  EXPECT_LT(value(found, "t0"), 0);
  ASSERT_FALSE(found.remarks.empty());
  EXPECT_THAT(found.remarks[0], HasSubstr("t0 is below 0"));
}

TEST(CommunicationModels, AsManyUnknownsAsPointsProveNothing) {
  const std::vector<Point> two = {{2, 1, 8, 100}, {2, 1, 64, 90}};
  const ModelFit found = fit(Model::kHockney, two);
  EXPECT_LT(found.worst, 1e-12);
  EXPECT_FALSE(found.worst_left_out);
  ASSERT_EQ(found.remarks.size(), 1u);
  EXPECT_THAT(found.remarks[0], HasSubstr("say nothing about the model"));
  EXPECT_FALSE(parameter(found, "r_inf").value);  // it falls
  EXPECT_THAT(parameter(found, "r_inf").missing, HasSubstr("does not grow"));
}

TEST(CommunicationModels, XuHwangFindsHowStartAndBandwidthGrow) {
  std::vector<Point> points;
  const auto time = [](double n, double m) {
    return 10 + 20 * std::log2(n) + m * (0.125 + 0.01 * n);
  };
  for (const double n : {2.0, 4.0, 8.0, 16.0}) {
    for (const double m : {8.0, 512.0, 4096.0}) points.push_back({n, 1, m, time(n, m)});
  }
  const ModelFit found = fit(Model::kXuHwang, points);
  ASSERT_EQ(found.lines.size(), 4u);
  EXPECT_NEAR(found.lines[2].fit.line.start, 70, 1e-9);
  ASSERT_TRUE(found.start_growth && found.length_growth);
  EXPECT_EQ(found.start_growth->best.order, Order::kLogarithm);
  EXPECT_EQ(found.length_growth->best.order, Order::kLinear);
  EXPECT_NEAR(*found.predict({6, 1, 1000, 0}), time(6, 1000), 1e-6);
  EXPECT_NEAR(*found.predict({8, 1, 100, 0}), time(8, 100), 1e-6);
  EXPECT_LT(found.worst_left_out.value_or(1), 1e-9);
}

TEST(CommunicationModels, TwoNumbersOfNodesHaveNoOrder) {
  const std::vector<Point> points = {{2, 1, 8, 10}, {2, 1, 64, 20}, {4, 1, 8, 15}, {4, 1, 64, 26}};
  const ModelFit found = fit(Model::kXuHwang, points);
  EXPECT_FALSE(found.start_growth);
  EXPECT_FALSE(found.predict({3, 1, 8, 0}));
  EXPECT_TRUE(found.predict({4, 1, 32, 0}));
}

TEST(CommunicationModels, BinomialTreesByHand) {
  // One message takes 10, the next one follows 15 later.
  const std::vector<Point> slow = {{2, 1, 8, 10}, {2, 2, 8, 25}, {2, 3, 8, 40}};
  const ModelFit found = fit(Model::kPostal, slow);
  EXPECT_NEAR(*found.predict_binomial(1, 8), 10, 1e-9);
  EXPECT_NEAR(*found.predict_binomial(2, 8), 25, 1e-9);  // the second child, not the grandchild
  EXPECT_NEAR(*found.predict_binomial(3, 8), 40, 1e-9);
  const std::vector<Point> fast = {{2, 1, 8, 10}, {2, 2, 8, 14}, {2, 3, 8, 18}};
  EXPECT_NEAR(*fit(Model::kPostal, fast).predict_binomial(3, 8), 30, 1e-9);  // the longest path
  EXPECT_FALSE(found.predict_binomial(2, 16));                               // of another length
}

TEST(CommunicationModels, ASetUpCountsOnceInATree) {
  const Machine machine;
  const ModelFit found = fit(Model::kLogGP, machine.streams({1, 2, 4}, {8, 64}));
  const double message = 30 + 7 + 10 + 7 * 0.125;
  EXPECT_NEAR(*found.predict_binomial(3, 8), 100 + 3 * message, 1e-6);
}

TEST(CommunicationModels, RefusePointsThatTheyDoNotSpeakOf) {
  EXPECT_THROW((void)fit(Model::kLogP, {}), std::invalid_argument);
  const std::vector<Point> three_nodes = {{3, 1, 8, 10}, {3, 2, 8, 20}};
  EXPECT_THROW((void)fit(Model::kLogP, three_nodes), std::invalid_argument);
  const std::vector<Point> mixed = {{2, 1, 8, 10}, {4, 1, 16, 20}};
  EXPECT_THROW((void)fit(Model::kHockney, mixed), std::invalid_argument);
  const std::vector<Point> streams = {{2, 1, 8, 10}, {2, 2, 16, 20}};
  EXPECT_THROW((void)fit(Model::kHockney, streams), std::invalid_argument);
  EXPECT_THROW((void)fit(Model::kXuHwang, streams), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference::models
