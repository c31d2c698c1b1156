// EDN broadcast on any mesh, as the reference builds it. State space: every source of all meshes up
// to 9 x 9 and of eight others; the top and two other sources of all meshes up to 16 x 16; one
// random source of every mesh up to 64 x 64, and of random ones up to 256 x 256 and in three
// dimensions (seeds printed); the top of every eighth.
#include "reference/edn/edn_optimal.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <utility>

#include "reference/catalogue.hpp"
#include "reference/checks/contention.hpp"
#include "testbench/core/seeds.hpp"

namespace annelid::reference {
namespace {

/// ceil(log_base n)
int ceil_log(int base, int n) {
  int steps = 0;
  for (int reach = 1; reach < n; reach *= base) ++steps;
  return steps;
}

/// All rules of a broadcast, for one source; its number of steps.
int checked_steps(const Network& net, Node root) {
  const Schedule schedule = edn_optimal_broadcast(net, root, 1);
  const std::string shown = to_string(net) + " from " + to_string(root);
  const auto violation = broadcast_violation(net, root, schedule);
  EXPECT_FALSE(violation.has_value()) << shown << ": " << *violation;
  EXPECT_EQ(schedule.messages(), static_cast<std::uint64_t>(net.nodes() - 1)) << shown;
  const int channels = 2 * ((net.x > 1) + (net.y > 1) + (net.z > 1));
  for (const StepContention& step : contention(net, schedule)) {
    if (edn_optimal_contention_free(net)) {
      EXPECT_TRUE(step.conflicts.empty()) << shown;
    }
    EXPECT_LE(step.max_load, 2) << shown;
    EXPECT_LE(step.max_sends, channels) << shown;
    EXPECT_GT(step.hops, 0u) << shown;  // no step is empty
  }
  const int relay = edn_optimal_top(net, root) == root ? 0 : 1;
  EXPECT_EQ(static_cast<int>(schedule.steps.size()), edn_optimal_steps(net) + relay) << shown;
  return static_cast<int>(schedule.steps.size());
}

Node any_node(const Network& net, std::mt19937& random) {
  return node_at(net, std::uniform_int_distribution(0, net.nodes() - 1)(random));
}

TEST(EdnOptimal, KeepsAllRulesFromEverySourceOfSmallMeshes) {
  std::vector<Network> meshes{{13, 11},  {16, 16},  {1, 40},   {40, 1},
                              {4, 4, 4}, {5, 3, 7}, {2, 1, 9}, {6, 5, 4}};
  for (int x = 1; x <= 9; ++x) {
    for (int y = 1; y <= 9; ++y) meshes.push_back({x, y});
  }
  for (const Network& net : meshes) {
    int relays = 0;
    for (int i = 0; i < net.nodes(); ++i) {
      relays += checked_steps(net, node_at(net, i)) - edn_optimal_steps(net);
    }
    EXPECT_LT(relays, net.nodes()) << to_string(net);  // from some source there is none
    if (HasFailure()) return;
  }
}

/// Meshes up to 16 x 16 that take one step more than ceil(log5 xy), lines aside: those for which a
/// search showed that it is needed from every source ...
const std::set<std::pair<int, int>> kOneMoreNeeded{
    {2, 2}, {2, 7}, {2, 8}, {2, 9}, {2, 10}, {2, 11}, {2, 12}, {3, 8},  {4, 5},  {4, 6}, {5, 4},
    {5, 5}, {6, 3}, {6, 4}, {7, 3}, {8, 2},  {8, 3},  {9, 2},  {10, 2}, {11, 2}, {12, 2}};
/// ... and those for which nobody knows.
const std::set<std::pair<int, int>> kOneMoreOpen{
    {7, 16},  {8, 14},  {8, 15}, {9, 12},  {9, 13}, {10, 11}, {10, 12},
    {11, 10}, {11, 11}, {12, 9}, {12, 10}, {13, 8}, {13, 9},  {14, 7},
    {14, 8},  {15, 6},  {15, 7}, {15, 8},  {16, 5}, {16, 6},  {16, 7}};

TEST(EdnOptimal, UpTo16x16ItTakesTheStepsOfTheCountBoundButForListedSizes) {
  for (int x = 2; x <= 16; ++x) {
    for (int y = 2; y <= 16; ++y) {
      const bool listed = kOneMoreNeeded.contains({x, y}) || kOneMoreOpen.contains({x, y});
      const int expected = ceil_log(5, x * y) + (listed ? 1 : 0);
      const Network net{x, y};
      const Node top = edn_optimal_top(net, {0, 0});
      EXPECT_EQ(checked_steps(net, top), expected) << to_string(net);
      for (const Node root : {Node{0, 0}, Node{x - 1, y / 3}}) {
        const int relay = edn_optimal_top(net, root) == root ? 0 : 1;
        EXPECT_EQ(checked_steps(net, root), expected + relay) << to_string(net);
      }
    }
  }
}

// 3 x 7 is one block, as its plan would take a step more.
TEST(EdnOptimal, From1And3The3x7MeshTakesTwoSteps) {
  EXPECT_EQ(checked_steps({3, 7}, {1, 3}), 2);
  EXPECT_EQ(checked_steps({3, 7}, {0, 0}), 3);
}

// The bounds: ceil(log5 xy) is what four channels per node allow. What no schedule can keep: a
// line takes ceil(log3 n) steps, as its nodes have two channels, up to 2 above the bound (1 x 82).
TEST(EdnOptimal, UpTo64x64ItTakesAtMostTwoStepsMoreThanTheCountBoundAndARelayFromOtherSources) {
  const std::uint32_t seed = test::seeds(1).front();
  std::mt19937 random(seed);
  std::map<int, int> above, above_from_any;
  for (int x = 1; x <= 64; ++x) {
    for (int y = 1; y <= 64; ++y) {
      const Network net{x, y};
      const int bound = ceil_log(5, x * y);
      ++above[edn_optimal_steps(net) - bound];
      const Node root = any_node(net, random);
      const int steps = checked_steps(net, root);
      ++above_from_any[steps - bound];
      if ((x + y) % 8 == 0) checked_steps(net, edn_optimal_top(net, root));
    }
    if (HasFailure()) return;
  }
  EXPECT_EQ(above.begin()->first, 0);
  EXPECT_EQ(above, (std::map<int, int>{{0, 1858}, {1, 2230}, {2, 8}}));  // of 4,096 meshes
  EXPECT_LE(above_from_any.rbegin()->first, 3);
  EXPECT_GT(above_from_any[2], above[2]);
}

TEST(EdnOptimal, UpTo256x256ItTakesAtMostTwoStepsMoreThanTheCountBound) {
  std::map<int, int> above;
  for (int x = 1; x <= 256; ++x) {
    for (int y = 1; y <= 256; ++y) {
      ++above[edn_optimal_steps({x, y}) - ceil_log(5, x * y)];
    }
  }
  EXPECT_EQ(above, (std::map<int, int>{{0, 22194}, {1, 42682}, {2, 660}}));  // of 65,536 meshes
}

TEST(EdnOptimal, TakesFewerStepsThanTsaisOnItsOwnSizes) {
  const std::map<int, int> steps{{4, 2}, {8, 3}, {16, 4}, {32, 5}, {64, 6}, {128, 7}, {256, 8}};
  for (const auto& [side, expected] : steps) {
    EXPECT_EQ(edn_optimal_steps({side, side}), expected);  // k + 3 is one more
  }
}

TEST(EdnOptimal, ALineTakesTheStepsThatTwoChannelsAllow) {
  for (int n = 1; n <= 256; ++n) {
    EXPECT_EQ(edn_optimal_steps({n, 1}), ceil_log(3, n)) << n;
    EXPECT_EQ(edn_optimal_steps({1, n}), ceil_log(3, n)) << n;
    EXPECT_EQ(edn_optimal_steps({1, 1, n}), ceil_log(3, n)) << n;
  }
}

TEST(EdnOptimal, KeepsAllRulesOnRandomLargeMeshes) {
  for (const std::uint32_t seed : test::seeds(6)) {
    std::mt19937 random(seed);
    const auto side = [&](int limit) { return std::uniform_int_distribution(1, limit)(random); };
    const Network plane{side(256), side(256)}, solid{side(30), side(30), side(30)};
    for (const Network& net : {plane, solid}) {
      checked_steps(net, any_node(net, random));
      checked_steps(net, edn_optimal_top(net, any_node(net, random)));
    }
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

TEST(EdnOptimal, SolidsTakeAtMostThreeStepsMoreThanSixChannelsPerNodeAllow) {
  std::map<int, int> above;
  for (int x = 2; x <= 24; ++x) {
    for (int y = 2; y <= 24; ++y) {
      for (int z = 2; z <= 24; ++z) {
        const Network net{x, y, z};
        const int steps = edn_optimal_steps(net);
        EXPECT_LE(steps, edn_optimal_steps({x, y}) + ceil_log(3, z));  // planes over lines
        ++above[steps - ceil_log(7, net.nodes())];
      }
    }
  }
  EXPECT_EQ(above, (std::map<int, int>{{0, 193}, {1, 7269}, {2, 4663}, {3, 42}}));  // of 12,167
}

TEST(EdnOptimal, TakesNoMoreStepsThanTsaisOnItsOwnSolids) {
  for (int k = 0; k <= 4; ++k) {
    for (int m = 0, deep = 1; m <= 3; ++m, deep *= 3) {
      for (int z : {4 * deep, 5 * deep}) {
        EXPECT_LE(edn_optimal_steps({4 << k, 4 << k, z}), k + m + 4) << (4 << k) << " " << z;
      }
    }
  }
  EXPECT_EQ(edn_optimal_steps({4, 4, 4}), 3);
  EXPECT_EQ(edn_optimal_steps({16, 16, 15}), 6);  // k + m + 4 = 7
}

// Rings in x, in y, in both: a source of each, which differ only in the dimensions without ring.
TEST(EdnOptimal, KeepsAllRulesInRingsAndNeedsNoRelayInThem) {
  int not_promised = 0, contending = 0;
  std::mt19937 random(test::seeds(1).front());
  for (int x = 1; x <= 32; ++x) {
    for (int y = 1; y <= 32; ++y) {
      for (const auto& ring : {std::array{true, false, false}, std::array{false, true, false},
                               std::array{true, true, false}}) {
        const Network net{x, y, 1, ring};
        const Node root = any_node(net, random);
        const int steps = checked_steps(net, root);
        if (ring[0] && ring[1]) {
          EXPECT_EQ(steps, edn_optimal_steps({x, y})) << to_string(net);
        }
        if (edn_optimal_contention_free(net)) continue;
        ++not_promised;
        for (const StepContention& step : contention(net, edn_optimal_broadcast(net, root, 1))) {
          if (step.max_load <= 1) continue;
          ++contending;
          break;
        }
      }
    }
    if (HasFailure()) return;
  }
  std::cout << contending << " of " << not_promised << " contend without promise, of 3072\n";
  EXPECT_EQ(contending, 0);
  EXPECT_LE(not_promised, 18);
  for (int side = 4; side <= 256; side *= 2) {
    EXPECT_TRUE(edn_optimal_contention_free({side, side, 1, {true, true, false}})) << side;
  }
}

TEST(EdnOptimal, KeepsAllRulesInRandomTori) {
  for (const std::uint32_t seed : test::seeds(6)) {
    std::mt19937 random(seed);
    const auto side = [&](int limit) { return std::uniform_int_distribution(1, limit)(random); };
    const auto yes = [&] { return side(2) == 1; };
    const Network net{side(20), side(20), side(20), {yes(), yes(), yes()}};
    checked_steps(net, any_node(net, random));
    const Network plane{side(100), side(100), 1, {true, true, false}};
    checked_steps(plane, any_node(plane, random));
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

TEST(EdnOptimal, IsInTheCatalogue) {
  const Algorithm* found = find_algorithm(Operation::kBroadcast, "edn-optimal");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->code, 3);
  EXPECT_TRUE(found->supports({17, 5, 3}));
  EXPECT_EQ(found->schedule({.network = {17, 5, 3}, .root = {1, 2, 2}, .bytes = 9}).messages(),
            254u);
}

TEST(EdnOptimalErrors, SizesAndRootsThatDoNotFitAreRefused) {
  EXPECT_THROW(edn_optimal_broadcast({257, 2}, {0, 0}, 1), std::invalid_argument);
  EXPECT_THROW(edn_optimal_broadcast({8, 8}, {8, 0}, 1), std::invalid_argument);
  EXPECT_TRUE(edn_optimal_broadcast({1, 1}, {0, 0}, 1).steps.empty());
}

}  // namespace
}  // namespace annelid::reference
