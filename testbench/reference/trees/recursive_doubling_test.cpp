// Recursive doubling (U-mesh), Tsai 3.3.3. State space: every source of eleven sizes; every 7th of
// 32x32.
#include "reference/trees/recursive_doubling.hpp"

#include <bit>

#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

class RecursiveDoubling : public ::testing::TestWithParam<Network> {};

TEST_P(RecursiveDoubling, KeepsAllRulesOfAContentionFreeBroadcastFromEverySource) {
  const Network size = GetParam();
  const auto steps = static_cast<std::size_t>(
      std::bit_width(static_cast<unsigned>(size.nodes() - 1)));  // ceil(log2 N)
  for (int i = 0; i<size.nodes(); i += size.nodes()> 500 ? 7 : 1) {
    const Node root = node_at(size, i);
    const Schedule schedule = recursive_doubling_broadcast(size, root, 1);
    ASSERT_EQ(schedule.steps.size(), steps);
    expect_contention_free_broadcast(size, root, schedule, 1);
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, RecursiveDoubling,
                         ::testing::Values(Network{1, 1}, Network{2, 1}, Network{1, 9},
                                           Network{5, 3}, Network{3, 5}, Network{4, 4},
                                           Network{6, 6}, Network{7, 7}, Network{8, 8},
                                           Network{16, 16}, Network{32, 32}),
                         [](const auto& test) {
                           return std::to_string(test.param.x) + "x" + std::to_string(test.param.y);
                         });

TEST(RecursiveDoublingPath, MeanOn32x32Is2Point63Hops) {
  std::uint64_t hops = 0, messages = 0;
  for (int i = 0; i < 1024; ++i) {
    const Schedule s = recursive_doubling_broadcast({32, 32}, node_at({32, 32}, i), 1);
    hops += annelid::reference::hops({32, 32}, s);
    messages += s.messages();
  }
  EXPECT_NEAR(static_cast<double>(hops) / static_cast<double>(messages), 2.63, 0.005);
}

TEST(RecursiveDoublingExample, A2x2MeshIsServedFromItsLastNode) {
  // The list is (0,0) (0,1) (1,0) (1,1); the holder (1,1) is in the upper half.
  const Schedule s = recursive_doubling_broadcast({2, 2}, {1, 1}, 5);
  ASSERT_EQ(s.steps.size(), 2u);
  EXPECT_EQ(s.steps[0], (Step{{{1, 1}, {0, 1}, 5}}));
  EXPECT_EQ(s.steps[1], (Step{{{0, 1}, {0, 0}, 5}, {{1, 1}, {1, 0}, 5}}));
}

}  // namespace
}  // namespace annelid::reference
