// The measures by which programs choose an algorithm of CCL for given costs, against those of the
// reference's schedules; and which one is chosen. Parameter space: 1 to 70 ranks, every k, all
// radices up to the number of ranks; costs of steps alone, of bytes alone, and of both.
#include "firmware/kit/trade_off.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "firmware/kit/used.hpp"
#include "reference/catalogue.hpp"

namespace annelid::firmware::kit {
namespace {

std::set<std::pair<reg::Operation, reg::Algorithm>> named;  // by the program

}  // namespace

bool has_used(reg::Operation operation, reg::Algorithm algorithm) {
  return named.contains({operation, algorithm});
}

namespace {

using reference::Request;

constexpr std::uint32_t kMostRanks = 70;
constexpr std::uint64_t kBytes = 24;

Measures counted(reference::Operation operation, std::string_view algorithm, std::uint32_t p,
                 std::uint32_t parameter) {
  Request request;
  request.network.x = static_cast<int>(p);
  request.network.ideal = true;
  request.bytes = kBytes;
  request.parameter = parameter;
  Measures measures;
  for (const reference::Step& step :
       reference::find_algorithm(operation, algorithm)->schedule(request).steps) {
    std::uint64_t longest = 0;
    for (const reference::Message& m : step) {
      longest = std::max(longest, m.bytes);
      measures.of_all += m.bytes;
    }
    ++measures.steps;
    measures.in_sequence += longest;
  }
  return measures;
}

void expect_equal(const Measures& found, const Measures& expected, std::uint32_t p,
                  std::uint32_t parameter) {
  SCOPED_TRACE(::testing::Message() << p << " ranks, parameter " << parameter);
  ASSERT_EQ(found.steps, expected.steps);
  ASSERT_EQ(found.in_sequence, expected.in_sequence);
  ASSERT_EQ(found.of_all, expected.of_all);
}

TEST(TradeOff, MeasuresOfLeadersAreThoseOfTheSchedule) {
  for (std::uint32_t p = 2; p <= kMostRanks; ++p) {
    for (std::uint32_t k = 0; (p - 1) >> k != 0; ++k) {
      expect_equal(measures_of_leaders(p, k, kBytes),
                   counted(reference::Operation::kAllReduce, "leaders", p, k), p, k);
      if (p >> k == 0) continue;
      expect_equal(measures_of_leaders_scan(p, k, kBytes),
                   counted(reference::Operation::kScan, "leaders", p, k), p, k);
    }
  }
}

TEST(TradeOff, MeasuresOfRadicesAreThoseOfTheSchedule) {
  for (std::uint32_t p = 2; p <= kMostRanks; ++p) {
    for (std::uint32_t radix = 2; radix <= p; ++radix) {
      expect_equal(measures_of_radix_tree(p, radix, kBytes),
                   counted(reference::Operation::kScatter, "radix", p, radix), p, radix);
      expect_equal(measures_of_radix_exchange(p, radix, kBytes),
                   counted(reference::Operation::kAllToAll, "radix", p, radix), p, radix);
    }
  }
}

nic_choice chosen(reg::Operation operation, std::uint32_t p, std::uint64_t bytes,
                  const nic_costs& costs) {
  nic_choice choice{};
  choice.costs = costs;
  choose_by_costs(operation, p, bytes, choice);
  return choice;
}

TEST(TradeOff, StepsAloneTakeTheFewestAndBytesAloneTheFewest) {
  named = {{reg::Operation::kAllToAll, reg::Algorithm::kRadix},
           {reg::Operation::kAllReduce, reg::Algorithm::kLeaders}};
  const nic_costs steps{1, 0, 0}, bytes{0, 1024, 0}, load{0, 0, 1024};
  EXPECT_EQ(chosen(reg::Operation::kAllToAll, 64, 100, steps).parameter[1], 2U);
  EXPECT_EQ(chosen(reg::Operation::kAllToAll, 64, 100, bytes).parameter[1], 64U);
  EXPECT_EQ(chosen(reg::Operation::kAllReduce, 64, 100, steps).parameter[1], 0U);
  EXPECT_EQ(chosen(reg::Operation::kAllReduce, 64, 100, load).parameter[1], 5U)
      << "as few messages as a tree, and a step less";
  // A step costs as much as 100 blocks: more radices than 2, and fewer than 64.
  const std::uint32_t radix =
      chosen(reg::Operation::kAllToAll, 64, 100, {1000, 1024, 0}).parameter[1];
  EXPECT_GT(radix, 2U);
  EXPECT_LT(radix, 64U);
}

TEST(TradeOff, OnlyAlgorithmsThatTheProgramNamesAreChosen) {
  named = {};
  const auto none = static_cast<unsigned>(reg::Algorithm::kNone);
  EXPECT_EQ(chosen(reg::Operation::kBroadcast, 16, 100, {1, 1, 1}).algorithm, none);
  EXPECT_EQ(chosen(reg::Operation::kBarrier, 16, 0, {1, 1, 1}).algorithm, none);
  named = {{reg::Operation::kBroadcast, reg::Algorithm::kBinomial},
           {reg::Operation::kBroadcast, reg::Algorithm::kEdst}};
  const auto binomial = static_cast<unsigned>(reg::Algorithm::kBinomial),
             edst = static_cast<unsigned>(reg::Algorithm::kEdst);
  EXPECT_EQ(chosen(reg::Operation::kBroadcast, 16, 8, {1000, 1024, 0}).algorithm, binomial);
  EXPECT_EQ(chosen(reg::Operation::kBroadcast, 16, 1 << 20, {1000, 1024, 0}).algorithm, edst);
  EXPECT_EQ(chosen(reg::Operation::kBroadcast, 15, 1 << 20, {1000, 1024, 0}).algorithm, binomial);
}

TEST(TradeOff, TheTimeIsThatOfTheModelWithoutAnOverflow) {
  EXPECT_EQ(time_of({3, 2048, 0}, {100, 512, 7}), 300U + 1024U);
  EXPECT_EQ(time_of({0, 0, 1ULL << 42}, {0, 0, 0xFFFFFFFF}), (1ULL << 32) * 0xFFFFFFFF);
}

}  // namespace
}  // namespace annelid::firmware::kit
