// Dimensional broadcast, U-torus and cyclic doubling (Tsai 1997, 5.3, 4.4.2, 3.3.5). State space:
// every source of fifteen meshes, tori and mixtures of both; sampled sources up to 65,536 nodes.
#include "reference/trees/line_doubling.hpp"

#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

const std::vector<Network> kDimensionalNetworks{
    {1, 1},
    {2, 1},
    {1, 9},
    {5, 3},
    {3, 5},
    {8, 8},
    {7, 7},
    {6, 1, 5},
    {4, 3, 5},
    {8, 8, 1, {true, true, false}},
    {7, 6, 1, {true, true, false}},
    {2, 2, 2, {true, true, true}},
    {5, 4, 3, {true, true, true}},
    {9, 5, 1, {false, true, false}},
    {6, 5, 4, {true, false, true}},
};

int steps_of(const Network& net) {
  return ceil_log(2, net.x) + ceil_log(2, net.y) + ceil_log(2, net.z);
}

class ByDimensions
    : public ::testing::TestWithParam<Schedule (*)(const Network&, Node, std::uint64_t)> {};

TEST_P(ByDimensions, IsACompleteBroadcastWithoutContentionFromEverySource) {
  for (const Network& net : kDimensionalNetworks) {
    for (Node root : all_nodes(net)) {
      const Schedule schedule = GetParam()(net, root, 1);
      ASSERT_EQ(static_cast<int>(schedule.steps.size()), steps_of(net));
      expect_broadcast(net, root, schedule);
      ASSERT_EQ(conflicts(net, schedule), 0u) << to_string(net) << " " << to_string(root);
      ASSERT_LE(most_sends(net, schedule), 1);
    }
  }
}

TEST_P(ByDimensions, KeepsItsPromisesUpTo65536Nodes) {
  for (const Network& net :
       {Network{256, 256}, Network{256, 256, 1, {true, true, false}}, Network{40, 41, 39}}) {
    for (Node root : sampled_nodes(net, 2)) {
      const Schedule schedule = GetParam()(net, root, 1);
      EXPECT_EQ(static_cast<int>(schedule.steps.size()), steps_of(net));
      expect_broadcast(net, root, schedule);
      EXPECT_EQ(conflicts(net, schedule), 0u) << to_string(net) << " " << to_string(root);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Both, ByDimensions,
                         ::testing::Values(dimensional_broadcast, cyclic_doubling_broadcast),
                         [](const auto& test) {
                           return test.param == dimensional_broadcast ? "Lines" : "Rings";
                         });

double mean_path(const Network& net, Schedule (*broadcast)(const Network&, Node, std::uint64_t)) {
  std::uint64_t all = 0, messages = 0;
  for (Node root : all_nodes(net)) {
    const Schedule s = broadcast(net, root, 1);
    all += hops(net, s);
    messages += s.messages();
  }
  return static_cast<double>(all) / static_cast<double>(messages);
}

TEST(MeanPathOn32x32, DimensionalBroadcastTakes2Point16Hops) {
  EXPECT_NEAR(mean_path({32, 32}, dimensional_broadcast), 2.1613, 0.00005);
}

TEST(MeanPathOn32x32, CyclicDoublingTakesThe4Point16HopsPrintedForRecursiveDoubling) {
  EXPECT_NEAR(mean_path({32, 32}, cyclic_doubling_broadcast), 129.0 / 31.0, 1e-9);
}

TEST(UTorus, TakesTheHopsOfItsFormulaStepByStep) {
  // Section 4.4.2: X / 2^i hops in step i, from every source.
  const Network net{16, 8, 1, {true, true, false}};
  const std::vector<int> expected{8, 4, 2, 1, 4, 2, 1};
  for (Node root : all_nodes(net)) {
    const Schedule s = cyclic_doubling_broadcast(net, root, 1);
    ASSERT_EQ(s.steps.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (const Message& m : s.steps[i]) ASSERT_EQ(distance(net, m.from, m.to), expected[i]);
    }
  }
}

TEST(UTorus, IsForNetworksOfRings) {
  EXPECT_TRUE(u_torus_supports({8, 5, 1, {true, true, false}}));
  EXPECT_TRUE(u_torus_supports({1, 5, 1, {false, true, false}}));
  EXPECT_FALSE(u_torus_supports({8, 5, 2, {true, true, false}}));
  EXPECT_FALSE(u_torus_supports({8, 8}));
}

TEST(DimensionalExample, A4x2MeshIsServedFromItsLastColumn) {
  const Schedule s = dimensional_broadcast({4, 2}, {3, 0}, 7);
  ASSERT_EQ(s.steps.size(), 3u);
  EXPECT_EQ(s.steps[0], (Step{{{3, 0}, {1, 0}, 7}}));
  EXPECT_EQ(s.steps[1], (Step{{{1, 0}, {0, 0}, 7}, {{3, 0}, {2, 0}, 7}}));
  EXPECT_EQ(s.steps[2].size(), 4u);
}

TEST(CyclicDoublingExample, ARowOfEightFromItsSixthNodeWrapsOnce) {
  const Schedule s = cyclic_doubling_broadcast({8, 1}, {5, 0}, 7);
  ASSERT_EQ(s.steps.size(), 3u);
  EXPECT_EQ(s.steps[0], (Step{{{5, 0}, {1, 0}, 7}}));
  EXPECT_EQ(s.steps[1], (Step{{{5, 0}, {7, 0}, 7}, {{1, 0}, {3, 0}, 7}}));
}

}  // namespace
}  // namespace annelid::reference
