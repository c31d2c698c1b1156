// The rules of docs/microarchitecture.md, section 5, one by one on a single router at (5, 5).
#include <gmock/gmock.h>

#include "testbench/systemc/one_router.hpp"

namespace annelid {
namespace {

constexpr Address kEast{9, 5, 0}, kNorth{5, 9, 0}, kSouth{5, 1, 0}, kHere{5, 5, 0};

TEST(RouterKernel, ResetsToEmptyFifosFullCreditsAndZeroPointers) {
  const OneRouter router({.local_ports = 2, .vcs = 3, .local_vcs = 2, .depth = 5});
  RouterState expected;
  for (std::size_t p = 0; p < 6; ++p) {
    for (std::size_t v = 0; v < (p < 4 ? 3 : 2); ++v) expected.output[p][v].credits = 5;
  }
  EXPECT_EQ(router.state(), expected);
}

TEST(RouterKernel, AFlitOnTheChannelIsInTheFifoInTheNextCycleAndLeavesInIt) {
  OneRouter router({.vcs = 2});
  const Flit flit = OneRouter::head(kEast, 1, true);
  router.put(kMinusX, flit);
  router.step();
  EXPECT_FALSE(router.sent(kPlusX));
  RouterState state = router.state();
  EXPECT_EQ(state.input[kMinusX][1].count, 1);
  EXPECT_EQ(state.input[kMinusX][1].front, flit);
  EXPECT_EQ(state.grant[kPlusX], (Grant{true, kMinusX, 1, 0}));
  router.step();
  ASSERT_TRUE(router.sent(kPlusX));
  EXPECT_EQ(router.sent(kPlusX)->vc, 0);  // the lowest free VC of the output
  EXPECT_EQ(router.sent(kPlusX)->data, flit.data);
  EXPECT_EQ(router.freed(kMinusX), Vc{1});
  state = router.state();
  EXPECT_EQ(state.output[kPlusX][0].credits, 3);
  EXPECT_FALSE(state.output[kPlusX][0].owned);  // it was a tail too
  EXPECT_EQ(state.input[kMinusX][1].out_port, kPlusX);
  EXPECT_EQ(state.in_pointer[kMinusX], 0);  // (1 + 1) mod 2
  EXPECT_EQ(state.out_pointer[kPlusX], kMinusX + 1);
}

// Section 6, "Arbitration, an example".
TEST(RouterKernel, TwoPacketsOnTwoVcsShareAChannelFlitByFlit) {
  OneRouter router({.vcs = 2, .depth = 64});
  router.put(0, OneRouter::head(kNorth, 0));
  router.put(4, OneRouter::head(kNorth, 0));
  router.step();
  const int granted[] = {0, 4, 0, 4}, pointer[] = {0, 1, 5, 1};
  for (int t = 0; t < 4; ++t) {
    const RouterState state = router.state();
    EXPECT_EQ(state.out_pointer[kPlusY], pointer[t]) << t;
    EXPECT_EQ(state.grant[kPlusY],
              (Grant{true, static_cast<Port>(granted[t]), 0, static_cast<Vc>(granted[t] / 4)}))
        << t;
    router.put(0, OneRouter::body(0));
    router.put(4, OneRouter::body(0));
    router.step();
    EXPECT_EQ(router.sent(kPlusY)->vc, granted[t] / 4) << t;
  }
}

TEST(RouterKernel, WithOneVcTheSecondPacketWaitsForTheTailOfTheFirstAndFollowsWithoutABubble) {
  OneRouter router({.vcs = 1, .depth = 64});
  router.put(0, OneRouter::head(kNorth));
  router.put(4, OneRouter::head(kNorth, 0, true));
  router.step();
  router.put(0, OneRouter::body());
  router.step();
  router.put(0, OneRouter::tail());
  router.step();
  EXPECT_TRUE(router.state().output[kPlusY][0].owned);
  router.step();
  EXPECT_TRUE(router.sent(kPlusY)->tail);
  EXPECT_FALSE(router.freed(4));
  router.step();
  ASSERT_TRUE(router.sent(kPlusY));
  EXPECT_TRUE(router.sent(kPlusY)->head);
  EXPECT_EQ(router.freed(4), Vc{0});
}

TEST(RouterKernel, EveryInputGetsTheSameShareOfAnOutput) {
  OneRouter router({.vcs = 8, .depth = 64});
  const Port inputs[] = {0, 1, 3, 4, 5, 6, 7};
  for (const Port i : inputs) router.put(i, OneRouter::head(kNorth));
  std::array<int, kMaxPorts> share{};
  for (int t = 0; t < 140; ++t) {
    router.step();
    for (const Port i : inputs) {
      if (t == 0 || router.freed(i)) router.put(i, OneRouter::body());
      share[i] += t > 0 && router.freed(i);
    }
    if (router.sent(kPlusY)) router.credit(kPlusY, router.sent(kPlusY)->vc);
  }
  for (const Port i : inputs) EXPECT_NEAR(share[i], 139.0 / 7, 1) << int{i};
}

// Three packets for three outputs that stand full, and then have room all the time: the channel of
// the input is what they share.
TEST(RouterKernel, EveryVcOfAnInputGetsItsTurn) {
  OneRouter router({.vcs = 3, .depth = 16});
  const Port outputs[] = {kPlusX, kPlusY, kMinusY};
  const Address targets[] = {kEast, kNorth, kSouth};
  for (int k = 0; k < 32; ++k) {
    for (Vc v = 0; v < 3; ++v) {
      router.put(kMinusX, k == 0 ? OneRouter::head(targets[v], v) : OneRouter::body(v));
      router.step();
    }
  }
  router.step();
  EXPECT_FALSE(router.freed(kMinusX));
  for (int t = 0; t < 30; ++t) {
    for (std::size_t v = 0; v < 3; ++v) {
      if (t < 3 || router.sent(outputs[v])) router.credit(outputs[v], 0);
    }
    const Vc turn = router.state().in_pointer[kMinusX];
    router.step();
    if (t > 0) {
      EXPECT_EQ(router.freed(kMinusX), turn) << t;
      EXPECT_EQ(router.state().in_pointer[kMinusX], (turn + 1) % 3) << t;
    }
  }
}

TEST(RouterKernel, ABlockedVcDoesNotHideAnotherAtTheSameInput) {
  OneRouter router({.vcs = 2, .depth = 1});
  router.put(0, OneRouter::head(kNorth, 0, true));  // takes the only credit of +y vc 0
  router.step();
  router.put(1, OneRouter::head(kNorth, 0, true));  // and of vc 1
  router.step();
  router.step();
  router.put(kMinusX, OneRouter::head(kNorth, 0));  // has no credit
  router.step();
  EXPECT_EQ(router.state().in_pointer[kMinusX], 1);  // input 1 is -x: the pointer is past VC 0 ...
  router.put(kMinusX, OneRouter::head(kEast, 1, true));
  router.step();
  router.step();
  ASSERT_TRUE(router.sent(kPlusX));
  EXPECT_EQ(router.freed(kMinusX), Vc{1});
  router.put(kMinusX, OneRouter::head(kEast, 1, true));  // ... and now at VC 0, the blocked one
  EXPECT_EQ(router.state().in_pointer[kMinusX], 0);
  router.step();
  router.credit(kPlusX, 0);
  router.step();
  EXPECT_EQ(router.freed(kMinusX), Vc{1});
}

TEST(RouterKernel, AHeadPassesOverAFreeVcWithoutCredit) {
  OneRouter router({.vcs = 3, .depth = 1});
  for (int n = 0; n < 2; ++n) {
    router.put(0, OneRouter::head(kNorth, 0, true));
    router.step();
    router.step();
  }
  const RouterState state = router.state();
  EXPECT_EQ(state.output[kPlusY][0].credits, 0);
  EXPECT_EQ(state.output[kPlusY][1].credits, 0);
  EXPECT_FALSE(state.output[kPlusY][0].owned);
  router.put(0, OneRouter::head(kNorth, 0));
  router.step();
  router.step();
  EXPECT_EQ(router.sent(kPlusY)->vc, 2);
}

TEST(RouterKernel, AnInputThatLosesTheOutputStageKeepsItsPointer) {
  OneRouter router({.vcs = 2});
  for (const Port i : {Port{0}, Port{1}}) router.put(i, OneRouter::head(kNorth, 1, true));
  router.step();
  router.step();
  EXPECT_EQ(router.freed(0), Vc{1});
  EXPECT_FALSE(router.freed(1));
  EXPECT_EQ(router.state().in_pointer[1], 0);
  router.put(1, OneRouter::head(kSouth, 0, true));
  router.step();
  EXPECT_EQ(router.freed(1), Vc{1});
  EXPECT_EQ(router.state().in_pointer[1], 0);
  EXPECT_EQ(router.state().out_pointer[kPlusY], 2);
}

TEST(RouterKernel, AFifoThatTakesAndDropsAFlitAndACounterThatLosesAndGainsACreditKeepTheirValues) {
  OneRouter router({.depth = 2});
  router.put(0, OneRouter::head(kNorth));
  router.step();
  router.put(0, OneRouter::body());
  router.step();
  EXPECT_EQ(router.state().input[0][0].count, 1);
  EXPECT_EQ(router.state().output[kPlusY][0].credits, 1);
  router.put(0, OneRouter::body());
  router.credit(kPlusY, 0);
  router.step();
  EXPECT_EQ(router.state().input[0][0].count, 1);
  EXPECT_EQ(router.state().output[kPlusY][0].credits, 1);
}

TEST(RouterKernel, PacketsForThisNodeEjectAtTheirInputModuloL) {
  for (int local_ports = 1; local_ports <= 4; ++local_ports) {
    OneRouter router({.local_ports = local_ports});
    for (Port i = 0; i < 4; ++i) {
      router.put(i, OneRouter::head(kHere, 0, true));
      router.step();
      router.step();
      EXPECT_TRUE(router.sent(static_cast<Port>(4 + i % local_ports)));
    }
  }
}

TEST(RouterKernel, RefusesAnOverflowASecondFlitInACycleAnUnknownVcAndACreditTooMany) {
  OneRouter router({.vcs = 2, .depth = 1});
  const auto refuses_flit = [&](Vc vc) {
    try {
      router.put(0, OneRouter::head(kNorth, vc));
    } catch (const std::logic_error&) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refuses_flit(2));
  EXPECT_THROW(router.credit(0, 0), std::logic_error);
  EXPECT_FALSE(refuses_flit(1));
  EXPECT_TRUE(refuses_flit(0));  // one flit per cycle
  router.step();
  EXPECT_TRUE(refuses_flit(1));  // full, and sent in this cycle
  router.step();
  EXPECT_THROW(router.credit(kPlusY, 1), std::logic_error);
  router.credit(kPlusY, 0);
  EXPECT_THROW(router.credit(kPlusY, 0), std::logic_error);  // one credit per cycle
  EXPECT_FALSE(refuses_flit(1));
}

TEST(RouterKernel, ABodyFlitWithoutAHeadIsAnError) {
  OneRouter router({});
  router.put(0, OneRouter::body());
  router.step();
  EXPECT_THROW(router.step(), std::logic_error);
}

}  // namespace
}  // namespace annelid
