// annelid check --ranks: which numbers, on which networks, with which calls.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/input_error.hpp"
#include "studies/check/numbers.hpp"
#include "studies/check/plan.hpp"

namespace annelid::studies {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;

TEST(RankNumbers, AreOneOrARange) {
  EXPECT_THAT(rank_numbers("7", 0, 1), ElementsAre(7));
  EXPECT_THAT(rank_numbers("3:6", 0, 1), ElementsAre(3, 4, 5, 6));
}

TEST(RankNumbers, SamplesAreDifferentOnesDrawnByTheSeed) {
  const auto some = rank_numbers("131:4096", 12, 5);
  EXPECT_EQ(some.size(), 12U);
  EXPECT_EQ(std::set(some.begin(), some.end()).size(), 12U);
  EXPECT_TRUE(std::ranges::is_sorted(some));
  EXPECT_THAT(some, Each(AllOf(Ge(131), Le(4096))));
  EXPECT_EQ(rank_numbers("131:4096", 12, 5), some);
  EXPECT_NE(rank_numbers("131:4096", 12, 6), some);
  EXPECT_THAT(rank_numbers("3:6", 4, 1), ElementsAre(3, 4, 5, 6));
}

TEST(RankNumbers, RefuseWhatIsNone) {
  for (const char* text : {"", "x", "0", "5:3", "1:", ":4", "1:2:3", "1-4", "65537", "-2:3"}) {
    EXPECT_THROW((void)rank_numbers(text, 0, 1), InputError) << text;
  }
  EXPECT_THROW((void)rank_numbers("1:4", 5, 1), InputError);
  EXPECT_THROW((void)rank_numbers("1:4", -1, 1), InputError);
}

TEST(RankNumbers, ShareIdealNetworksUpToPowersOfTwo) {
  const auto groups = networks_for(rank_numbers("1:130", 0, 1), {});
  std::vector<std::size_t> nodes;
  int next = 1;
  for (const RankNumbers& g : groups) {
    EXPECT_TRUE(g.network.ideal);
    for (const int p : g.numbers) EXPECT_EQ(p, next++);
    EXPECT_GE(g.network.nodes(), static_cast<std::size_t>(g.numbers.back()));
    nodes.push_back(g.network.nodes());
  }
  EXPECT_EQ(next, 131);
  EXPECT_THAT(nodes, ElementsAre(1, 2, 4, 9, 16, 36, 64, 132, 132));
}

TEST(RankNumbers, GoOnTheNetworkThatIsAskedFor) {
  const auto tori = networks_for({3, 4, 5}, {{"network.topology", "--topology", "torus"}});
  ASSERT_EQ(tori.size(), 2U);
  EXPECT_TRUE(!tori[0].network.ideal && tori[0].network.router.has_rings());
  const std::vector<simulation::Override> size = {{"network.size", "--size", "4x2"}};
  const auto one = networks_for({3, 4, 5}, size);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].network.nodes(), 8U);
  EXPECT_THROW((void)networks_for({9}, size), InputError);
}

TEST(RankNumbers, AreShownAsRuns) {
  EXPECT_EQ(numbers_text({1, 2, 3, 5, 8, 9}), "1..3, 5, 8..9");
  EXPECT_EQ(numbers_text({7}), "7");
}

struct Seen {
  std::set<std::uint32_t> parameters, parameters_in_order;
  std::set<reference::Operator> operators;
};

/// What is called with each number of ranks.
std::map<int, Seen> seen_by_number(const reference::Algorithm& algorithm,
                                   const std::vector<int>& numbers, bool quick) {
  const reference::Network network{12, 11, 1, {}, true};
  std::map<int, Seen> seen;
  for (const simulation::Collective& c :
       check_calls_of_ranks(algorithm, network, numbers, {.quick = quick, .seed = 3})) {
    EXPECT_TRUE(!c.has_root() || reference::rank_at(network, c.ranks, c.root));
    EXPECT_TRUE(!c.reduces() || c.bytes % bytes_of(c.op, c.type) == 0);
    Seen& s = seen[reference::rank_count(network, c.ranks)];
    s.parameters.insert(c.parameter);
    if (commutes(c.op)) {
      s.operators.insert(c.op);
    } else {
      EXPECT_TRUE(algorithm.keeps_order(c.request()));
      s.parameters_in_order.insert(c.parameter);
    }
  }
  return seen;
}

TEST(CallsOfRanks, HaveEveryPacketsAndOperatorAtEveryNumber) {
  const std::vector<int> numbers = rank_numbers("1:130", 0, 1);
  for (const reference::Algorithm& a : reference::algorithms()) {
    if (!a.by_rank) continue;
    const auto seen = seen_by_number(a, numbers, false);
    const auto taken = std::ranges::count_if(
        numbers, [&a](int p) { return a.takes_ranks == nullptr || a.takes_ranks(p); });
    ASSERT_EQ(seen.size(), static_cast<std::size_t>(taken)) << a.name;
    ASSERT_GE(taken, 8) << a.name;
    const bool scan =
        a.operation == reference::Operation::kScan || a.operation == reference::Operation::kExscan;
    const bool mirrored = a.name == "two-tree" || a.name == "two-tree-shifted";
    const std::size_t parameters =
        mirrored && !scan ? 12
        : a.name == "binomial" || a.name == "butterfly" || a.name == "rabenseifner" ||
                a.name == "scatter-allgather" || a.name == "simultaneous-binomial" ||
                a.name == "intercom" || a.name == "elimination-butterfly"
            ? 1
        : mirrored || a.name == "two-tree-couples" || a.name == "binary-tree" ? 7
                                                                              : 5;
    std::set<std::int32_t> steps;  // of a shift, which are its parameter
    for (const auto& [p, s] : seen) {
      if (a.operation == reference::Operation::kShift) {
        for (const std::uint32_t step : s.parameters) {
          steps.insert(static_cast<std::int32_t>(step));
        }
      } else {
        ASSERT_EQ(s.parameters.size(), parameters) << a.name << ", " << p;
      }
      ASSERT_EQ(s.operators.size(), simulation::reduces(a.operation) ? reference::kOperators : 1U)
          << a.name << ", " << p;
      // Leaders keep the order only if their number is a power of two.
      if (a.keeps_order == nullptr || a.name == "leaders") continue;
      // An extra leaf of two trees is out of order: all parameters but five, for half of the
      // numbers.
      const bool extra = parameters == 12 && p % 2 == 0;
      ASSERT_EQ(s.parameters_in_order.size(), extra ? 5 : parameters) << a.name << ", " << p;
    }
    if (steps.empty()) continue;
    EXPECT_LT(*steps.begin(), 0) << a.name;
    EXPECT_GT(*steps.rbegin(), 0) << a.name;
  }
}

TEST(CallsOfRanks, HaveHybridsOfEveryKind) {
  const reference::Network network{12, 11, 1, {}, true};
  const std::vector<int> numbers(300, 24);
  for (const reference::Algorithm& a : reference::algorithms()) {
    if (a.name != "intercom") continue;
    std::set<std::vector<int>> meshes, meshes_in_order;
    std::set<std::pair<bool, bool>> templates;
    for (const simulation::Collective& c :
         check_calls_of_ranks(a, network, numbers, {.quick = false, .seed = 3})) {
      int ranks = c.hybrid.sizes.empty() ? 24 : 1;
      for (const int size : c.hybrid.sizes) ranks *= size;
      ASSERT_EQ(ranks, 24);
      (commutes(c.op) ? meshes : meshes_in_order).insert(c.hybrid.sizes);
      templates.emplace(c.hybrid.is_long, c.hybrid.far_first);
    }
    EXPECT_EQ(meshes.size(), 20U) << name_of(a.operation);  // all factorizations of 24
    EXPECT_EQ(templates.size(), 4U) << name_of(a.operation);
    if (a.keeps_order != nullptr) {
      EXPECT_GT(meshes_in_order.size(), 1U) << name_of(a.operation);
    }
  }
}

TEST(CallsOfRanks, AreThreeInAHurry) {
  const reference::Algorithm& scan =
      *reference::find_algorithm(reference::Operation::kScan, "two-tree");
  const reference::Network network{5, 3, 1, {}, true};
  EXPECT_EQ(check_calls_of_ranks(scan, network, {4, 9}, {.quick = true, .seed = 1}).size(), 6U);
  EXPECT_EQ(check_calls_of_ranks(scan, {20, 20, 1, {}, true}, {257}, {}).size(), 3U);
  for (const auto& [p, s] : seen_by_number(scan, {4, 9}, true)) {
    EXPECT_EQ(s.parameters_in_order.size(), 1U) << p;
  }
}

TEST(CheckPlan, OfNumbersHasAllOfThemOnceOrMore) {
  CheckRequest request;
  request.algorithms = {reference::find_algorithm(reference::Operation::kBroadcast, "circulant")};
  request.ranks = networks_for({5, 6, 7, 700}, {});
  request.routers = {systemc::RouterKind::kAllPort, systemc::RouterKind::kOnePort};
  request.firmwares = {{simulation::FirmwareChoice::Kind::kNative, {}},
                       {simulation::FirmwareChoice::Kind::kRv32, {}}};
  const CheckPlan plan = plan_check(request);
  EXPECT_TRUE(plan.left_out.empty());
  std::set<int> numbers;
  for (const CheckJob& job : plan.jobs) {
    for (const simulation::Collective& c : job.calls) {
      numbers.insert(reference::rank_count(c.network, c.ranks));
      EXPECT_THAT(run_command(job, c), HasSubstr(" --topology ideal"));
    }
  }
  EXPECT_THAT(numbers, ElementsAre(5, 6, 7, 700));
}

}  // namespace
}  // namespace annelid::studies
