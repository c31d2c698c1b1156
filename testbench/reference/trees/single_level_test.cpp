// Broadcast by a single level of dominating nodes: Tsai 3.2, Figure 3.3. State space: every source
// of seven meshes, sampled sources (printed seed) of three larger ones.
#include "reference/trees/single_level.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

TEST(SingleLevel, TakesOneStepLessThanRecursiveDoublingWithoutContentionFromEverySource) {
  for (const Network net :
       {Network{4, 4}, Network{4, 8}, Network{8, 4}, Network{8, 8}, Network{12, 4}, Network{12, 8},
        Network{4, 20}, Network{16, 12}, Network{32, 32}, Network{60, 44}}) {
    const auto steps = static_cast<std::size_t>(  // ceil(log2 N) - 1
        std::bit_width(static_cast<unsigned>(net.nodes() - 1)) - 1);
    for (Node root : sources_of(net, 200, 20)) {
      const Schedule schedule = single_level_broadcast(net, root, 8);
      EXPECT_EQ(schedule.steps.size(), steps) << to_string(net) << " from " << to_string(root);
      expect_contention_free_broadcast(net, root, schedule, 4);
    }
  }
}

TEST(SingleLevel, IsFigure33OnA4x4MeshFrom20) {
  const Schedule schedule = single_level_broadcast({4, 4}, {2, 0}, 1);
  ASSERT_EQ(schedule.steps.size(), 3u);
  const auto pairs = [](const Step& step) {
    std::set<std::pair<Node, Node>> set;
    for (const Message& m : step) set.insert({m.from, m.to});
    return set;
  };
  EXPECT_EQ(pairs(schedule.steps[0]),
            (std::set<std::pair<Node, Node>>{{{2, 0}, {1, 0}}, {{2, 0}, {2, 3}}}));
  EXPECT_EQ(pairs(schedule.steps[1]),
            (std::set<std::pair<Node, Node>>{{{1, 0}, {0, 2}}, {{2, 3}, {3, 1}}}));
}

TEST(SingleLevel, DominatingNodesAreAQuarterAndEveryOtherNodeHasOneBesideIt) {
  const Network net{12, 8};
  const auto dominating = single_level_dominating(net);
  EXPECT_EQ(dominating.size(), 24u);
  EXPECT_TRUE(std::ranges::is_sorted(dominating));
  for (int i = 0; i < net.nodes(); ++i) {
    EXPECT_TRUE(std::ranges::any_of(
        dominating, [&](Node d) { return distance(net, d, node_at(net, i)) <= 1; }));
  }
}

TEST(SingleLevel, OtherSizesAreRefused) {
  for (const Network net :
       {Network{4, 6}, Network{5, 5}, Network{4, 4, 4}, Network{4, 4, 1, {true, false, false}}}) {
    EXPECT_FALSE(single_level_supports(net));
    EXPECT_THROW(single_level_broadcast(net, {}, 1), std::invalid_argument);
  }
}

}  // namespace
}  // namespace annelid::reference
