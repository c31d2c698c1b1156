// The rules of docs/internals/microarchitecture.md, section 5, one by one on a single router at (5,
// 5).
#include <gmock/gmock.h>

#include <deque>
#include <tuple>
#include <vector>

#include "base/random.hpp"
#include "testbench/systemc/one_router.hpp"

namespace annelid::systemc {
namespace {

using ::testing::ElementsAre;

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

TEST(RouterKernel, FlitsKeepTheirOrderHoweverOftenTheFifoWraps) {
  for (const int depth : {1, 2, 3, 5}) {
    OneRouter router({.depth = depth});
    int room = depth;
    std::uint64_t put = 0, left = 0;
    for (int t = 0; t < 60; ++t) {
      if (room > 0) {
        router.put(kMinusX, put == 0 ? OneRouter::head(kEast) : OneRouter::body(0, put));
        --room;
        ++put;
      }
      if (router.sent(kPlusX)) router.credit(kPlusX, 0);
      router.step();
      if (router.freed(kMinusX)) ++room;
      if (!router.sent(kPlusX)) continue;
      if (left > 0) {
        EXPECT_EQ(router.sent(kPlusX)->data, left) << "depth " << depth;
      }
      ++left;
    }
    EXPECT_GT(left, 4u * static_cast<unsigned>(depth));
  }
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

TEST(RouterKernel, RefusesASecondCreditInACycleAlsoOfAnotherVc) {
  OneRouter router({.vcs = 2, .depth = 1});
  for (const Vc vc : {Vc{0}, Vc{1}}) {
    router.put(0, OneRouter::head(kNorth, vc, true));
    router.step();
  }
  router.step();
  EXPECT_EQ(router.state().output[kPlusY][1].credits, 0);
  router.credit(kPlusY, 0);
  EXPECT_THROW(router.credit(kPlusY, 1), std::logic_error);
  router.step();
  router.credit(kPlusY, 1);
  router.step();
  EXPECT_EQ(router.state().output[kPlusY][0].credits, 1);
  EXPECT_EQ(router.state().output[kPlusY][1].credits, 1);
}

TEST(RouterKernel, ABodyFlitWithoutAHeadIsAnError) {
  OneRouter router({});
  router.put(0, OneRouter::body());
  router.step();
  EXPECT_THROW(router.step(), std::logic_error);
}

// ---- Pipelines, section 5 and 6 -----------------------------------------------------------------

/// Cycles in which a flit of one packet leaves by +x; the head reaches the router in cycle 0, and
/// its followers in the cycles after.
std::vector<Cycle> departures(const RouterConfig& config, int flits) {
  OneRouter router(config);
  std::vector<Cycle> cycles;
  for (int t = 0; t < 40; ++t) {
    if (t < flits) {
      router.put(kMinusX, t == 0           ? OneRouter::head(kEast, 0, flits == 1)
                          : t + 1 == flits ? OneRouter::tail()
                                           : OneRouter::body());
    }
    router.step();
    if (router.sent(kPlusX)) cycles.push_back(router.now() - 1);
  }
  return cycles;
}

TEST(Pipeline, AHeadLeavesAfterStagesAndLinkRegistersAndItsFlitsFollowInEveryCycle) {
  for (int stages = 1; stages <= 4; ++stages) {
    for (int links = 0; links <= 4; ++links) {
      const auto at = departures({.depth = 12, .stages = stages, .link_registers = links}, 5);
      const auto first = static_cast<Cycle>(stages + links);
      EXPECT_THAT(at, ElementsAre(first, first + 1, first + 2, first + 3, first + 4));
    }
  }
}

TEST(Pipeline, TheNextPacketOfAnInputVcWaitsForRouteComputationAndVcAllocation) {
  for (int stages = 1; stages <= 4; ++stages) {
    OneRouter router({.depth = 12, .stages = stages});
    std::vector<Cycle> cycles;
    for (int t = 0; t < 20; ++t) {
      if (t < 3) router.put(kMinusX, OneRouter::head(kEast, 0, true));
      router.step();
      if (router.sent(kPlusX)) cycles.push_back(router.now() - 1);
    }
    const auto first = static_cast<Cycle>(stages);
    const auto apart = static_cast<Cycle>(stages <= 2 ? 1 : stages - 1);
    EXPECT_THAT(cycles, ElementsAre(first, first + apart, first + 2 * apart)) << stages;
  }
}

TEST(Pipeline, ACreditLeavesWithItsFlitAndPassesTheLinkRegistersOfItsInput) {
  for (int stages = 1; stages <= 2; ++stages) {
    OneRouter router({.depth = 12, .stages = stages, .link_registers = 3});
    router.put(kMinusX, OneRouter::head(kEast, 0, true));
    router.put(4, OneRouter::head(kNorth, 0, true));
    std::vector<Cycle> external, local;
    for (int t = 0; t < 12; ++t) {
      router.step();
      if (router.freed(kMinusX)) external.push_back(router.now() - 1);
      if (router.freed(4)) local.push_back(router.now() - 1);
    }
    EXPECT_THAT(external, ElementsAre(static_cast<Cycle>(stages + 3)));
    EXPECT_THAT(local, ElementsAre(static_cast<Cycle>(stages)));
  }
}

TEST(Pipeline, OfFourStagesShowsEachStepInTheRegisters) {
  OneRouter router({.vcs = 2, .stages = 4});
  router.put(kMinusX, OneRouter::head(kNorth, 1, true));
  router.step();
  RouterState state = router.state();  // RC
  const auto input = [&] { return state.input[kMinusX][1]; };
  EXPECT_FALSE(input().routed || input().active);
  EXPECT_FALSE(state.va_grant[kPlusY].valid);
  router.step();
  state = router.state();  // VA
  EXPECT_TRUE(input().routed && !input().active);
  EXPECT_EQ(input().out_port, kPlusY);
  EXPECT_EQ(state.va_grant[kPlusY], (VaGrant{true, kMinusX, 1, 0}));
  EXPECT_FALSE(state.grant[kPlusY].valid);
  EXPECT_FALSE(state.output[kPlusY][0].owned);
  router.step();
  state = router.state();  // SA
  EXPECT_TRUE(!input().routed && input().active);
  EXPECT_TRUE(state.output[kPlusY][0].owned);
  EXPECT_EQ(state.output[kPlusY][0].credits, 4);
  EXPECT_EQ(state.va_in_pointer[kMinusX], 0);  // (1 + 1) mod 2
  EXPECT_EQ(state.va_out_pointer[kPlusY], kMinusX + 1);
  EXPECT_EQ(state.out_pointer[kPlusY], 0);
  EXPECT_EQ(state.grant[kPlusY], (Grant{true, kMinusX, 1, 0}));
  router.step();
  EXPECT_FALSE(router.sent(kPlusY));
  state = router.state();  // ST
  EXPECT_EQ(input().count, 0);
  EXPECT_FALSE(state.output[kPlusY][0].owned);
  EXPECT_EQ(state.output[kPlusY][0].credits, 3);
  router.step();
  ASSERT_TRUE(router.sent(kPlusY));
  EXPECT_EQ(router.freed(kMinusX), Vc{1});
}

TEST(Pipeline, VcAllocationGivesOneVcOfAnOutputPerCycle) {
  OneRouter router({.vcs = 4, .stages = 4});
  for (const Port i : {Port{0}, Port{1}, Port{3}}) router.put(i, OneRouter::head(kNorth));
  router.step();
  router.step();
  const Port winners[] = {0, 1, 3};
  for (Vc w = 0; w < 3; ++w) {
    EXPECT_EQ(router.state().va_grant[kPlusY], (VaGrant{true, winners[w], 0, w}));
    router.step();
    EXPECT_EQ(router.state().input[winners[w]][0].out_vc, w);
  }
}

// ---- Matrix arbiters ----------------------------------------------------------------------------

TEST(MatrixArbiter, TheLeastRecentlyServedInputWins) {
  OneRouter router({.vcs = 8, .depth = 64, .arbiters = ArbiterKind::kMatrix});
  const auto granted = [&] {
    const Grant grant = router.state().grant[kPlusY];
    router.step();
    return grant.in_port;
  };
  for (const Port i : {Port{3}, Port{0}}) router.put(i, OneRouter::head(kNorth, 0, true));
  router.step();
  EXPECT_EQ(granted(), 0);  // order 1 .. 7, 0
  EXPECT_EQ(granted(), 3);  // order 1, 2, 4 .. 7, 0, 3
  for (const Port i : {Port{3}, Port{0}, Port{5}, Port{1}}) {
    router.put(i, OneRouter::head(kNorth, 0, true));
  }
  router.step();
  EXPECT_EQ(router.state().out_pointer[kPlusY], 1);
  EXPECT_EQ(granted(), 1);
  EXPECT_EQ(granted(), 5);
  EXPECT_EQ(granted(), 0);
  EXPECT_EQ(granted(), 3);
  EXPECT_EQ(router.state().out_pointer[kPlusY], 2);
}

TEST(MatrixArbiter, OrdersTheVcsOfAnInputAndItsPointerIsAlwaysAVcOfThePort) {
  OneRouter router({.vcs = 3, .depth = 16, .arbiters = ArbiterKind::kMatrix});
  for (Vc v = 0; v < 3; ++v) {
    router.put(kMinusX, OneRouter::head(kNorth, v));
    router.step();
  }
  for (int k = 0; k < 12; ++k) {
    for (Vc v = 0; v < 3; ++v) router.put(kPlusX, OneRouter::head(kEast, v, true)), router.step();
    EXPECT_LT(router.state().in_pointer[kMinusX], 3);
    EXPECT_LT(router.state().in_pointer[kPlusX], 3);
  }
}

// ---- Fixed priority -----------------------------------------------------------------------------

TEST(FixedPriorityArbiter, TheLowestInputWinsAndTheOthersStarve) {
  OneRouter router({.depth = 64, .arbiters = ArbiterKind::kFixedPriority});
  const auto granted = [&] {
    const Grant grant = router.state().grant[kPlusY];
    router.step();
    return grant.in_port;
  };
  for (const Port i : {Port{3}, Port{0}}) router.put(i, OneRouter::head(kNorth, 0, true));
  router.step();
  for (int k = 0; k < 20; ++k) {
    router.put(0, OneRouter::head(kNorth, 0, true));
    EXPECT_EQ(granted(), 0);
    EXPECT_EQ(router.state().out_pointer[kPlusY], 0);
  }
  EXPECT_EQ(granted(), 0);
  EXPECT_EQ(granted(), 3) << "nobody else requests";
  EXPECT_EQ(router.state().out_pointer[kPlusY], 0);
}

// ---- One-port routers ---------------------------------------------------------------------------

constexpr RouterConfig kOnePort{.local_ports = 1, .kind = RouterKind::kOnePort};

TEST(OnePortRouter, APacketPassesEverySwitchAndInternalChannelsHaveTheirOwnCredits) {
  OneRouter router(kOnePort);
  router.put(4, OneRouter::head(kHere, 0, true));  // injected
  router.step();
  EXPECT_EQ(router.state().grant[4], (Grant{true, 4, 0, 0}));
  router.step();
  EXPECT_EQ(router.freed(4), Vc{0});
  EXPECT_FALSE(router.sent(4));
  EXPECT_EQ(router.state().output[4][0].credits, 3);
  EXPECT_EQ(router.state().input[5][0].count, 1);
  EXPECT_EQ(router.state().grant[5], (Grant{true, 5, 0, 0}));
  router.step();
  EXPECT_TRUE(router.sent(4));  // link 4 is the ejection channel: output 5
  EXPECT_EQ(router.state().output[4][0].credits, 4);
  EXPECT_EQ(router.state().output[5][0].credits, 3);
  router.credit(4, 0);
  router.step();
  EXPECT_EQ(router.state().output[5][0].credits, 4);
}

TEST(OnePortRouter, TurnsFromXToYThroughTheInternalChannel) {
  OneRouter router(kOnePort);
  router.put(kMinusX, OneRouter::head(kNorth, 0, true));
  router.step();
  EXPECT_TRUE(router.state().grant[4].valid);
  router.step();
  EXPECT_EQ(router.state().grant[kPlusY], (Grant{true, 5, 0, 0}));
  EXPECT_EQ(router.state().out_pointer[4], 2);  // past candidate 1, -x
  router.step();
  EXPECT_TRUE(router.sent(kPlusY));
  EXPECT_EQ(router.state().out_pointer[kPlusY], 0);  // past candidate 2, the through port
}

// One stimulus for both, with credits that come back at once, gives one view in every cycle.
TEST(OnePortRouter, OfOneDimensionIsTheAllPortRouterWithOneLocalPort) {
  for (const ArbiterKind arbiters :
       {ArbiterKind::kRoundRobin, ArbiterKind::kMatrix, ArbiterKind::kFixedPriority}) {
    for (int stages = 1; stages <= 4; ++stages) {
      RouterConfig config{.local_ports = 1, .vcs = 3, .local_vcs = 2, .depth = 2, .dims = 1};
      config.stages = stages;
      config.arbiters = arbiters;
      OneRouter all_port(config);
      config.kind = RouterKind::kOnePort;
      OneRouter one_port(config);
      Random random(static_cast<std::uint64_t>(stages));
      std::array<std::array<int, 3>, 3> room{};
      for (auto& port : room) port.fill(2);
      std::array<std::deque<Vc>, 3> owed;
      int sent = 0;
      for (int t = 0; t < 3000; ++t) {
        for (int l = 0; l < 3; ++l) {
          const auto vc = static_cast<Vc>(random.below(l == 2 ? 2 : 3));
          int& places = room[static_cast<std::size_t>(l)][vc];
          if (places == 0) continue;
          --places;
          const Flit flit =
              OneRouter::head({static_cast<std::uint8_t>(random.below(11)), 0, 0}, vc, true);
          all_port.put(l, flit);
          one_port.put(l, flit);
        }
        for (int l = 0; l < 3; ++l) {
          auto& credits = owed[static_cast<std::size_t>(l)];
          if (all_port.sent(l)) credits.push_back(all_port.sent(l)->vc);
          if (credits.empty() || random.below(3) == 0) continue;
          all_port.credit(l, credits.front());
          one_port.credit(l, credits.front());
          credits.pop_front();
        }
        all_port.step();
        one_port.step();
        ASSERT_EQ(all_port.state(), one_port.state()) << t;
        for (int l = 0; l < 3; ++l) {
          ASSERT_EQ(all_port.sent(l), one_port.sent(l));
          ASSERT_EQ(all_port.freed(l), one_port.freed(l));
          sent += all_port.sent(l).has_value();
          if (all_port.freed(l)) ++room[static_cast<std::size_t>(l)][*all_port.freed(l)];
        }
      }
      EXPECT_GT(sent, 2000);
    }
  }
}

// ---- Rings --------------------------------------------------------------------------------------

TEST(Ring, APacketChangesFromTheFirstClassToTheSecondAtTheWrapAroundLink) {
  const RouterConfig router{.vcs = 2, .torus = {true, true, false}};
  const NetworkConfig torus{{6, 6, 1}, router};
  const auto vc_at = [&](std::uint8_t x, std::uint8_t to) {
    OneRouter node(torus, {x, 0, 0});
    node.put(kMinusX, OneRouter::head({to, 0, 0}, 0, true));
    node.step();
    node.step();
    return node.sent(kPlusX) ? int{node.sent(kPlusX)->vc} : -1;
  };
  EXPECT_EQ(vc_at(4, 1), 0);
  EXPECT_EQ(vc_at(5, 1), 0);
  EXPECT_EQ(vc_at(0, 1), 1);
  EXPECT_EQ(vc_at(1, 4), 1);   // half the ring: a tie goes up
  EXPECT_EQ(vc_at(1, 5), -1);  // shorter down
  EXPECT_EQ(vc_at(2, 0), -1);  // shorter down, without the wrap-around link
}

TEST(Ring, WithoutClassesAPacketTakesAnyVc) {
  const NetworkConfig torus{{6, 1, 1},
                            {.vcs = 1, .torus = {true, false, false}, .allow_deadlock = true}};
  OneRouter node(torus, {5, 0, 0});
  node.put(kMinusX, OneRouter::head({1, 0, 0}, 0, true));
  node.step();
  node.step();
  EXPECT_TRUE(node.sent(kPlusX));
}

// ---- Control VCs --------------------------------------------------------------------------------

// Section 6, "Arbitration, an example", with control VCs.
TEST(ControlVc, AControlPacketGoesBetweenTheFlitsOfALongDataPacket) {
  OneRouter router({.vcs = 1, .depth = 64, .control_vc = true});
  router.put(0, OneRouter::head(kNorth, 0));
  router.put(4, OneRouter::head(kNorth, 1));
  router.step();
  const int granted[] = {0, 4, 0, 4, 0, 0}, vc[] = {0, 1, 0, 1, 0, 0},
            pointer[] = {0, 1, 5, 1, 5, 1};
  for (int t = 0; t < 6; ++t) {
    const RouterState state = router.state();
    EXPECT_EQ(state.out_pointer[kPlusY], pointer[t]) << t;
    EXPECT_EQ(state.grant[kPlusY], (Grant{true, static_cast<Port>(granted[t]),
                                          static_cast<Vc>(vc[t]), static_cast<Vc>(vc[t])}))
        << t;
    router.put(0, OneRouter::body(0));
    if (t == 0) router.put(4, OneRouter::tail(1));
    router.step();
    EXPECT_EQ(router.sent(kPlusY)->vc, vc[t]) << t;
  }
}

/// The output VC that a head takes at once, at (5, 5, 5) of rings or meshes of 16; -1 for none.
int vc_taken(RouterConfig router, Port in, Vc vc, const HeadFields& head, Port out) {
  router.control_vc = true;
  OneRouter node(router);
  node.put(in, {pack(head), vc, true, true});
  for (int t = 0; t < router.stages + 1; ++t) node.step();
  return node.sent(out) ? int{node.sent(out)->vc} : -1;
}

TEST(ControlVc, AHeadTakesTheVcOfItsClassAndKind) {
  constexpr RouterKind kOne = RouterKind::kOnePort;
  constexpr TorusClasses kPlh = TorusClasses::kPlh;
  constexpr std::array<bool, 3> kX{true, false, false};
  const HeadFields up{{9, 5, 0}, {5, 5, 0}, 0}, down{{15, 5, 0}, {5, 5, 0}, 0},
      wrapped{{7, 5, 0}, {14, 5, 0}, 0}, north{{5, 9, 0}, {5, 5, 0}, 0},
      here{{5, 5, 0}, {1, 5, 0}, 0};
  for (const int stages : {1, 2, 3, 4}) {
    const RouterConfig ring{.vcs = 4, .local_vcs = 2, .stages = stages, .torus = kX};
    // A dateline: VCs 0 and 1 of class 0, 2 and 3 of class 1; 4 and 5 are theirs for control.
    EXPECT_EQ(vc_taken(ring, 4, 0, down, kMinusX), 0);
    EXPECT_EQ(vc_taken(ring, 4, 1, up, kPlusX), 2);
    EXPECT_EQ(vc_taken(ring, 4, 2, down, kMinusX), 4);
    EXPECT_EQ(vc_taken(ring, 4, 2, up, kPlusX), 5);
    EXPECT_EQ(vc_taken(ring, kMinusX, 4, wrapped, kPlusX), 5);
    EXPECT_EQ(vc_taken(ring, kMinusX, 3, wrapped, kPlusX), 2);
    EXPECT_EQ(vc_taken(ring, 4, 2, north, kPlusY), 4) << "a mesh has one class";
    EXPECT_EQ(vc_taken(ring, kMinusX, 5, here, 5), 2) << "input -x ejects at local port 1";
    EXPECT_EQ(vc_taken(ring, kMinusX, 3, here, 5), 0);

    const RouterConfig plh{.vcs = 3, .stages = stages, .torus = kX, .classes = kPlh};
    EXPECT_EQ(vc_taken(plh, 4, 1, up, kPlusX), 3);
    EXPECT_EQ(vc_taken(plh, 4, 1, down, kMinusX), 4);
    EXPECT_EQ(vc_taken(plh, kMinusX, 4, wrapped, kPlusX), 5);
    EXPECT_EQ(vc_taken(plh, kMinusX, 1, wrapped, kPlusX), 2);

    const RouterConfig few{.vcs = 1, .stages = stages, .torus = kX, .allow_deadlock = true};
    EXPECT_EQ(vc_taken(few, kMinusX, 1, wrapped, kPlusX), 1) << "no classes";
    EXPECT_EQ(vc_taken(few, kMinusX, 0, wrapped, kPlusX), 0);

    // From one switch to the next: 4 is the local link and the internal channel's input is no link.
    const RouterConfig one{.local_ports = 1, .vcs = 2, .local_vcs = 3, .kind = kOne, .torus = kX};
    EXPECT_EQ(vc_taken(one, 4, 3, up, kPlusX), 3);
    EXPECT_EQ(vc_taken(one, 4, 2, up, kPlusX), 1);
  }
}

TEST(ControlVc, AOnePortRouterKeepsThePacketsKindFromSwitchToSwitch) {
  OneRouter router({.local_ports = 1,
                    .vcs = 2,
                    .local_vcs = 1,
                    .kind = RouterKind::kOnePort,
                    .torus = {true, false, false},
                    .control_vc = true});
  router.put(kMinusX, {pack(HeadFields{{5, 5, 0}, {1, 5, 0}, 0}), 3, true, true});
  router.step();
  EXPECT_EQ(router.state().grant[4], (Grant{true, kMinusX, 3, 2})) << "the internal channel's";
  router.step();
  EXPECT_EQ(router.state().grant[5], (Grant{true, 5, 2, 1})) << "the ejection channel's";
  router.step();
  ASSERT_TRUE(router.sent(4));
  EXPECT_EQ(router.sent(4)->vc, 1);
}

class Causes final : public FabricObserver {
 public:
  void blocked(Cycle, NodeId, Port in, Vc vc, Port, BlockCause cause) override {
    all.emplace_back(in, vc, cause);
  }
  std::vector<std::tuple<Port, Vc, BlockCause>> all;
};

TEST(ControlVc, AHeadWaitsForTheVcsThatAreOpenToItAndForNoOthers) {
  OneRouter router({.vcs = 1, .depth = 1, .control_vc = true});
  router.put(0, OneRouter::head(kNorth, 0));  // owns data VC 0 of +y from here on
  router.step();
  router.step();
  router.put(1, OneRouter::head(kNorth, 0));
  router.put(4, OneRouter::head(kNorth, 1));  // takes the only place behind control VC 1
  router.step();
  router.put(5, OneRouter::head(kNorth, 1));
  Causes causes;
  router.step(&causes);
  ASSERT_TRUE(router.sent(kPlusY));
  EXPECT_EQ(router.sent(kPlusY)->vc, 1);
  EXPECT_THAT(causes.all, ElementsAre(std::tuple(Port{1}, Vc{0}, BlockCause::kNoVc)));
  causes.all.clear();
  router.step(&causes);
  EXPECT_THAT(causes.all, ElementsAre(std::tuple(Port{1}, Vc{0}, BlockCause::kNoVc),
                                      std::tuple(Port{5}, Vc{1}, BlockCause::kNoVc)));
  // The control packet ends: its VC is free, and has no credit.
  router.put(4, OneRouter::tail(1));
  router.credit(kPlusY, 1);
  router.step();
  router.step();
  causes.all.clear();
  router.step(&causes);
  EXPECT_THAT(causes.all, ElementsAre(std::tuple(Port{1}, Vc{0}, BlockCause::kNoVc),
                                      std::tuple(Port{5}, Vc{1}, BlockCause::kNoCredit)));
}

TEST(HotState, OfATwoDimensionalRouterWith2VcsOf4FlitsIsAtMostAKibibyte) {
  for (const bool torus : {false, true}) {
    for (const int local_vcs : {1, 2}) {
      const OneRouter router(
          RouterConfig{.vcs = 2, .local_vcs = local_vcs, .torus = {torus, torus, false}});
      EXPECT_LE(router.array().hot_bytes(), 1024u);
      EXPECT_GE(router.array().hot_bytes(), 8u * 4 * (8 + 4 * static_cast<unsigned>(local_vcs)));
    }
  }
}

}  // namespace
}  // namespace annelid::systemc
