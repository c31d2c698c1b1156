// The parts of all nodes of the single-level dominating node broadcast, put together. State space:
// meshes of 4m x 4n up to 16 x 16 with every source, one larger.
#include "firmware/collectives/trees/single_level.hpp"
#include "testbench/firmware/support/plan_check.hpp"
#include "testbench/firmware/support/rounded_log.hpp"

namespace annelid::firmware {
namespace {

TEST(SingleLevelPlan, IsAContentionFreeBroadcastFromEverySourceInOneStepLessThanDoubling) {
  for (const Size size : {Size{4, 4, 1}, Size{8, 4, 1}, Size{4, 12, 1}, Size{12, 8, 1},
                          Size{16, 16, 1}, Size{20, 12, 1}}) {
    for (const Address root : nodes_of(size)) {
      for (const bool reversed : {false, true}) {
        const BroadcastFacts facts =
            check_broadcast(single_level::kRule, size, root, {.reversed = reversed});
        ASSERT_FALSE(HasFailure());
        ASSERT_EQ(facts.steps, log_rounded_up(2, size.x * size.y) - 1);
      }
    }
  }
  check_broadcast(single_level::kRule, {128, 256, 1}, at(77, 130));
}

TEST(SingleLevelPlan, SendsAsTheDissertationDrawsFor4x4) {
  // Figure 3.3: source (2,0), whose column's dominating node is (2,3).
  const Part source = part_of(single_level::kRule, at(2, 0), {4, 4, 1}, at(2, 0));
  ASSERT_EQ(source.sends.size(), 2U);
  EXPECT_EQ(source.sends[0].step, 1);
  EXPECT_EQ(source.sends[1], (Part::Send{at(2, 3), 1}));
}

TEST(SingleLevelPlan, NeedsBlocksOf4x4) {
  for (const Size size : {Size{4, 6, 1}, Size{2, 4, 1}, Size{4, 4, 2}}) {
    const Topology network({}, size);
    const Group all = Group::all(network, {});
    Frame frame(all, 0, 0, false);
    EXPECT_FALSE(single_level::kRule.fits(frame));
  }
}

}  // namespace
}  // namespace annelid::firmware
