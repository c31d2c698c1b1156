// Recursive doubling's parts of all nodes, put together, as for EDN.
#include <cmath>

#include "firmware/collectives/trees/recursive_doubling.hpp"
#include "testbench/firmware/support/plan_check.hpp"
#include "testbench/firmware/support/rounded_log.hpp"

namespace annelid::firmware {
namespace {

void expect_optimal(Size size, Address root) {
  for (const bool reversed : {false, true}) {
    const BroadcastFacts facts =
        check_broadcast(recursive_doubling::kRule, size, root, {.reversed = reversed});
    ASSERT_FALSE(::testing::Test::HasFailure());
    ASSERT_EQ(facts.messages, size.x * size.y * size.z - 1);
    ASSERT_EQ(facts.steps, log_rounded_up(2, size.x * size.y * size.z));
    ASSERT_LE(facts.most_sends_per_step, 1);
  }
}

TEST(RecursiveDoublingPlan, IsAContentionFreeBroadcastFromEverySourceInLog2NSteps) {
  for (const Size size :
       {Size{1, 1, 1}, Size{1, 7, 1}, Size{7, 1, 1}, Size{2, 2, 1}, Size{3, 5, 1}, Size{4, 4, 1},
        Size{6, 3, 1}, Size{8, 8, 1}, Size{13, 9, 1}, Size{16, 16, 1}, Size{1, 1, 5}, Size{3, 4, 5},
        Size{4, 4, 4}, Size{2, 7, 3}}) {
    for (const Address root : nodes_of(size)) expect_optimal(size, root);
  }
}

TEST(RecursiveDoublingPlan, HoldsOnLargeMeshes) {
  for (const Size size : {Size{64, 64, 1}, Size{256, 256, 1}, Size{255, 2, 1}, Size{1, 256, 1},
                          Size{16, 16, 16}, Size{31, 2, 17}}) {
    for (const Address root : {at(0, 0), at(size.x - 1, size.y - 1), at(size.x / 2, size.y / 3)}) {
      expect_optimal(size, root);
    }
  }
}

TEST(RecursiveDoublingPlan, HalvesTheListWithTheLargerHalfBelow) {
  // A column of five from node 0: 0 -> 3 | 0 -> 2, 3 -> 4 | 0 -> 1.
  const Part root = part_of(recursive_doubling::kRule, at(0, 0), {1, 5, 1}, at(0, 0));
  ASSERT_EQ(root.sends.size(), 3U);
  EXPECT_EQ(root.sends[0], (Part::Send{at(0, 3), 1}));
  EXPECT_EQ(root.sends[1], (Part::Send{at(0, 2), 2}));
  EXPECT_EQ(root.sends[2], (Part::Send{at(0, 1), 3}));
  // From the last node, to the last of the lower half.
  const Part last = part_of(recursive_doubling::kRule, at(0, 4), {1, 5, 1}, at(0, 4));
  ASSERT_EQ(last.sends.size(), 2U);
  EXPECT_EQ(last.sends[0], (Part::Send{at(0, 2), 1}));
  EXPECT_EQ(last.sends[1], (Part::Send{at(0, 3), 2}));
}

TEST(RecursiveDoublingPlan, HasTheMeanPathOfUMeshOn32x32) {
  const Size size{32, 32, 1};
  double hops = 0, messages = 0;
  for (const Address root : nodes_of(size)) {
    for (const Address node : nodes_of(size)) {
      const Part plan = part_of(recursive_doubling::kRule, node, size, root);
      for (const Part::Send& send : plan.sends) {
        hops += std::abs(send.to.x - node.x) + std::abs(send.to.y - node.y);
        messages += 1;
      }
    }
  }
  EXPECT_NEAR(hops / messages, 2.63, 0.005);
}

}  // namespace
}  // namespace annelid::firmware
