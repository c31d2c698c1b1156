// CCL's model of time, fitted to times that are made by known parameters.
#include "reference/costs/ccl_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace annelid::test {
namespace {

namespace ccl = reference::ccl;

/// Points that do not have C1, C2 and C3 in proportion, with the times that `time` gives.
template <typename Time>
std::vector<ccl::Point> points_of(const Time& time) {
  std::vector<ccl::Point> points;
  for (const double c1 : {2, 4, 15}) {
    for (const double m : {64, 512, 4096}) {
      for (const double share : {1, 3, 8}) {
        ccl::Point p{c1, c1 * m / share, c1 * m * share, 0};
        p.time = time(p);
        points.push_back(p);
      }
    }
  }
  return points;
}

double free_time(const ccl::Point& p) { return 20 + 30 * p.c1 + 0.125 * p.c2; }

TEST(CclModel, FindsTheParametersOfExactTimes) {
  const auto free = points_of(free_time);
  const auto loaded = points_of([](const ccl::Point& p) { return free_time(p) + 0.01 * p.c3; });
  const ccl::Model model = ccl::fit(free, loaded);
  EXPECT_NEAR(model.set_up, 20, 1e-6);
  EXPECT_NEAR(model.ts, 30, 1e-6);
  EXPECT_NEAR(model.tc, 0.125, 1e-9);
  for (const ccl::Piece& piece : model.pieces) EXPECT_NEAR(piece.slope, 0.01, 1e-9);
  EXPECT_NEAR(model.f(1000), 10, 1e-6);
  EXPECT_NEAR(model.f(10'000'000), 100'000, 1) << "f goes on behind the fitted points";
  EXPECT_LT(ccl::deviations(model, loaded, true).largest, 1e-9);
  const ccl::Deviations bare = ccl::deviations(model, loaded, false);
  EXPECT_NEAR(bare.largest, 1 - model.free(loaded[bare.worst]) / loaded[bare.worst].time, 1e-9);
  EXPECT_GT(bare.largest, bare.median);
}

TEST(CclModel, FollowsABendOfF) {
  const auto free = points_of(free_time);
  const auto loaded = points_of(
      [](const ccl::Point& p) { return free_time(p) + std::max(0.0, p.c3 - 8000) * 0.05; });
  const ccl::Model model = ccl::fit(free, loaded);
  ASSERT_GT(model.pieces.size(), 2U);
  EXPECT_LT(model.pieces.front().slope, 0.005);
  EXPECT_GT(model.pieces.back().slope, 0.04);
}

TEST(CclModel, FNeverFalls) {
  const auto free = points_of(free_time);
  const auto loaded = points_of([](const ccl::Point& p) {
    return free_time(p) + (p.c3 < 3000 ? 0.02 * p.c3 : 60 - 0.0001 * p.c3);
  });
  const ccl::Model model = ccl::fit(free, loaded);
  ASSERT_FALSE(model.pieces.empty());
  EXPECT_EQ(model.pieces.front().from, 0);
  for (const ccl::Piece& piece : model.pieces) EXPECT_GE(piece.slope, 0);
}

TEST(CclModel, RefusesRunsThatDetermineNothing) {
  EXPECT_THROW((void)ccl::fit({}, {}), std::invalid_argument);
  const std::vector<ccl::Point> alike(5, {2, 128, 128, 100});
  EXPECT_THROW((void)ccl::fit(alike, {}), std::invalid_argument);
  auto zero = points_of(free_time);
  zero.back().time = 0;
  EXPECT_THROW((void)ccl::fit(zero, {}), std::invalid_argument);
}

TEST(CclModel, ChecksOtherLengthsGroupsAndOperations) {
  const auto plan = ccl::plan(16, {64, 512}, {4, 8, 16});
  std::set<std::uint64_t> lengths[ccl::kParts];
  std::set<int> groups[ccl::kParts];
  std::set<std::string> algorithms[ccl::kParts];
  for (const ccl::PlannedCall& p : plan) {
    const auto part = static_cast<std::size_t>(p.part);
    lengths[part].insert(p.call.bytes);
    groups[part].insert(p.call.nodes);
    algorithms[part].insert(p.call.algorithm);
  }
  const auto at = [](auto& sets, ccl::Part part) { return sets[static_cast<std::size_t>(part)]; };
  EXPECT_EQ(at(lengths, ccl::Part::kFit), (std::set<std::uint64_t>{64, 512}));
  EXPECT_EQ(at(lengths, ccl::Part::kLengths), (std::set<std::uint64_t>{184}));
  EXPECT_EQ(at(groups, ccl::Part::kFit), (std::set<int>{0, 4, 8, 16}));
  EXPECT_EQ(at(groups, ccl::Part::kGroups), (std::set<int>{6, 12}));
  EXPECT_TRUE(at(algorithms, ccl::Part::kFit).contains("exchange"));
  EXPECT_TRUE(at(algorithms, ccl::Part::kApart).contains("dissemination"));
  const auto odd = ccl::plan(12, {64}, {4, 12});
  EXPECT_TRUE(std::ranges::none_of(odd, [](const auto& p) {
    return p.call.algorithm == "exchange";
  })) << "it needs 2^d nodes";
}

TEST(CclModel, GroupsArePowersOfTwoAndAllNodes) {
  EXPECT_EQ(ccl::usual_groups(16), (std::vector<int>{4, 8, 16}));
  EXPECT_EQ(ccl::usual_groups(12), (std::vector<int>{4, 8, 12}));
  EXPECT_EQ(ccl::usual_groups(4), (std::vector<int>{4}));
}

}  // namespace
}  // namespace annelid::test
