// The walk over a schedule's critical path: cycles by hand from docs/internals/nic/engines.md
// ("Exact cycles") and section 6 of docs/internals/microarchitecture.md, deviation from the papers'
// closed forms, and channels that messages of different steps share. State space: hand-made
// schedules of one to four messages; tori of 4x4 to 64x64 and meshes of 8x8 and 32x32 with alpha 0
// to 1000 and 128 to 2048 bytes.
#include "reference/costs/critical_path.hpp"

#include <cmath>
#include <iostream>
#include <tuple>
#include <utility>

#include "reference/costs/depth_contention.hpp"
#include "reference/costs/formulas.hpp"
#include "reference/costs/latency.hpp"
#include "reference/edn/edn_square.hpp"
#include "reference/edn/edn_torus.hpp"
#include "reference/trees/fibonacci_tree.hpp"
#include "reference/trees/line_doubling.hpp"
#include "reference/trees/recursive_doubling.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

const Network kMesh{8, 8};

/// The papers' machine: no offers, a reception starts the next step in the cycle after it.
Timing papers(Cycle alpha, Cycle gamma) {
  Timing timing;
  timing.alpha = alpha;
  timing.gamma = gamma;
  timing.offers = false;
  return timing;
}

TEST(CriticalPath, OneMessageTakesTheCyclesOfTheNicsTable) {
  // h = 3 hops, 72 bytes: F = 11. The receive is posted in 0, its offer consumed in g = 4 + h;
  // head at g + 1, receive complete h + F + 1 later.
  const Prediction p = predict(kMesh, {{{{{0, 0}, {3, 0}, 72}}}}, {});
  const MessageTimes m = p.messages[0][0];
  EXPECT_EQ(m.head, 4u + 3u + 1u);
  EXPECT_EQ(m.tail, m.head + 10u);
  EXPECT_EQ(m.received, m.head + 3u + 11u + 1u);
  EXPECT_EQ(p.end, m.received);
  EXPECT_EQ(p.complete[3], m.received);
  EXPECT_EQ(p.complete[0], 0u);
  Timing later;
  later.posted = 70;
  EXPECT_EQ(predict(kMesh, {{{{{0, 0}, {3, 0}, 72}}}}, later).end, p.end + 70);
}

TEST(CriticalPath, ASendAdmittedAfterItsOfferGoesACycleLater) {
  Timing timing;
  timing.alpha = 50;
  timing.gamma = 9;
  const MessageTimes m = predict(kMesh, {{{{{0, 0}, {3, 0}, 72}}}}, timing).messages[0][0];
  EXPECT_EQ(m.head, 51u);
  EXPECT_EQ(m.received, 51u + 3u + 11u + 1u + 9u);
}

TEST(CriticalPath, AStrandWaitsForItsOwnMessagesUntilAllJoin) {
  // (1,0) gets a short message of strand 0 and a long one of strand 1; then it sends one of strand
  // 0.
  Schedule schedule{
      {{{{0, 0}, {1, 0}, 8, 0}, {{2, 0}, {1, 0}, 4096, 1}}, {{{1, 0}, {1, 1}, 8, 0}}}};
  const Prediction alone = predict(kMesh, schedule, papers(0, 0));
  EXPECT_EQ(alone.messages[1][0].go, alone.messages[0][0].received + 1);
  schedule.joins = {1};
  const Prediction joined = predict(kMesh, schedule, papers(0, 0));
  EXPECT_EQ(joined.messages[1][0].go, joined.messages[0][1].received + 1);
  EXPECT_GT(joined.messages[1][0].go, alone.messages[1][0].go + 400);
}

TEST(CriticalPath, AMessageCanCountForAnotherStrandAtItsReceiver) {
  // (1,0) gets a message that left in strand 0 and counts for strand 1.
  const Schedule schedule{
      {{{{0, 0}, {1, 0}, 800, 0, 1}}, {{{1, 0}, {1, 1}, 8, 0}, {{1, 0}, {2, 0}, 8, 1}}}};
  const Prediction p = predict(kMesh, schedule, papers(0, 0));
  EXPECT_EQ(p.messages[1][0].go, 0u);
  EXPECT_EQ(p.messages[1][1].go, p.messages[0][0].received + 1);
}

TEST(CriticalPath, AnEagerMessageThatMeetsItsOfferIsDeliveredAfterThePark) {
  // h = 1, 8 bytes: eager at 1, F = 3, arrived 1+1+3+1 = 6. Offer consumed at 5, park injected at
  // 6, consumed at 6 + 1 + 2 + 1 = 10; delivery of 2 + 1 cycles.
  const MessageTimes m = predict(kMesh, {{{{{0, 0}, {1, 0}, 8}}}}, {}).messages[0][0];
  EXPECT_EQ(m.head, 1u);
  EXPECT_EQ(m.received, 13u);
}

TEST(CriticalPath, AlphaIsSerializedOverANodesSends) {
  const Schedule star{{{{{1, 1}, {2, 1}, 800}, {{1, 1}, {0, 1}, 800}, {{1, 1}, {1, 2}, 800}}}};
  const Prediction p = predict(kMesh, star, papers(20, 0));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(p.messages[0][i].head, 20 * (i + 1) + 1);
  const Prediction none = predict(kMesh, star, papers(0, 0));  // one start a cycle all the same
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(none.messages[0][i].head, i + 1);
}

TEST(CriticalPath, MessagesOfOnePortFollowEachOther) {
  // Both leave by +x: the second one's head follows the first one's tail.
  const Schedule both{{{{{1, 1}, {2, 1}, 800}, {{1, 1}, {4, 1}, 8}}}};
  const Prediction p = predict(kMesh, both, papers(0, 0));
  EXPECT_EQ(p.messages[0][1].head, p.messages[0][0].tail + 1);
  EXPECT_EQ(p.path.size(), 1u + 1u);
  Timing one_port = papers(0, 0);
  one_port.one_port = true;
  const Schedule apart{{{{{1, 1}, {2, 1}, 800}, {{1, 1}, {0, 1}, 8}}}};
  const Prediction q = predict(kMesh, apart, one_port);
  EXPECT_EQ(q.messages[0][1].head, q.messages[0][0].tail + 1);
}

TEST(CriticalPath, MessagesToOnePortFollowEachOther) {
  // From both sides: the second one comes in when all of the first one has.
  const Schedule both{{{{{0, 1}, {1, 1}, 800}, {{2, 1}, {1, 1}, 800}}}};
  Timing one_port = papers(0, 0);
  one_port.one_port = true;
  const Prediction p = predict(kMesh, both, one_port);
  const auto& [first, second] = std::tie(p.messages[0][0], p.messages[0][1]);
  EXPECT_EQ(second.received, first.received + 102);  // flits
  EXPECT_EQ(second.tail, first.tail + 102);
  EXPECT_EQ(p.path, (std::vector<MessageId>{{0, 0}, {0, 1}}));
}

TEST(CriticalPath, ReceivesInTurnAreOfferedWhenTheMessageBeforeBeginsToCome) {
  const Schedule chain{{{{{0, 1}, {1, 1}, 800}}, {{{2, 1}, {1, 1}, 800}}}};
  Timing timing;
  EXPECT_EQ(predict(kMesh, chain, timing).messages[1][0].head,
            predict(kMesh, chain, timing).messages[0][0].head);
  timing.in_turn = true;
  const Prediction p = predict(kMesh, chain, timing);
  const Cycle header = p.messages[0][0].received - 100;  // consumed: 100 flits are left
  EXPECT_EQ(p.messages[1][0].head, header + 1 + 4 + 1);  // the offer takes 4 cycles
}

TEST(CriticalPath, IsLongerWithPipelinesLinkRegistersAndOnePortRouters) {
  Timing timing = papers(0, 0);
  timing.pipeline = 2;
  timing.link_registers = 1;
  const Schedule one{{{{{0, 0}, {2, 1}, 8}}}};
  // P (h+1) + R h + F - 1, and one to consume the tail.
  EXPECT_EQ(predict(kMesh, one, timing).end, 1u + 2 * 4 + 3 + 2 + 1);
  timing.one_port = true;  // P (h+n)
  EXPECT_EQ(predict(kMesh, one, timing).end, 1u + 2 * 5 + 3 + 2 + 1);
}

TEST(CriticalPath, AStepBeginsWithTheReceptionAndAfterTheSendsBeforeIt) {
  const Schedule chain{{{{{0, 0}, {1, 0}, 800}}, {{{1, 0}, {2, 0}, 8}, {{0, 0}, {0, 1}, 8}}}};
  const Prediction p = predict(kMesh, chain, papers(0, 0));
  const MessageTimes first = p.messages[0][0];
  EXPECT_EQ(p.messages[1][0].go, first.received + 1);
  EXPECT_EQ(p.messages[1][1].go, first.tail + 1);
  ASSERT_EQ(p.path.size(), 2u);
  EXPECT_EQ(p.path[0], (MessageId{0, 0}));
  EXPECT_EQ(p.path[1], (MessageId{1, 0}));
}

TEST(CriticalPath, APacketIsPassedOnWhileTheNextComesIn) {
  const Schedule tree = fibonacci_broadcast({3, 1}, {}, 1600, 2);
  const Prediction p = predict({3, 1}, tree, papers(0, 0));
  EXPECT_LT(p.messages[1][1].go, p.messages[1][0].received);
}

TEST(CriticalPath, CombiningReceivesFollowEachOtherByFourCycles) {
  // docs/internals/nic/combining.md: K messages that arrive at once take F + 4 (K - 1).
  const Schedule star{{{{{1, 2}, {1, 1}, 80}, {{0, 1}, {1, 1}, 80}, {{2, 1}, {1, 1}, 80}}}};
  Timing timing = papers(0, 5);
  const Cycle plain = predict(kMesh, star, timing).end;
  timing.combining = true;
  const Prediction p = predict(kMesh, star, timing);
  EXPECT_EQ(p.messages[0][1].received, plain + 4);      // (0,1) is first
  EXPECT_EQ(p.messages[0][2].received, plain + 4 + 4);  // then (2,1)
  EXPECT_EQ(p.messages[0][0].received, plain + 4 + 8);  // then (1,2)
  const Schedule empty{{{{{0, 1}, {1, 1}, 0}}}};
  const Cycle combined = predict(kMesh, empty, timing).end;
  timing.combining = false;
  EXPECT_EQ(combined, predict(kMesh, empty, timing).end);  // nothing to combine
}

TEST(CriticalPath, AMessageToItselfIsRefused) {
  EXPECT_THROW(predict(kMesh, {{{{{1, 1}, {1, 1}, 8}}}}, {}), std::invalid_argument);
}

/// Closed form with beta 1 and L flits against the walk, which knows more: per step a cycle from
/// injection to the first hop, the tail's consumption and the reaction, less one for the tail.
double deviation(const Prediction& p, double closed) {
  return 100 * (closed / static_cast<double>(p.end) - 1);
}

TEST(ClosedForms, UTorusDiffersByThreeCyclesAStep) {
  for (int d = 2; d <= 6; ++d) {
    for (auto [alpha, gamma, bytes] : {std::tuple{0, 0, 128}, {100, 50, 2048}, {1000, 0, 64}}) {
      const int n = 1 << d;
      const Network net{n, n, 1, {true, true, false}};
      const Schedule s = cyclic_doubling_broadcast(net, {1, 2}, static_cast<std::uint64_t>(bytes));
      const Timing t = papers(static_cast<Cycle>(alpha), static_cast<Cycle>(gamma));
      const Prediction p = predict(net, s, t);
      const formulas::Cost cost{static_cast<double>(alpha), 1, static_cast<double>(gamma)};
      const auto flits = static_cast<double>(flits_of(static_cast<std::uint64_t>(bytes)));
      EXPECT_EQ(static_cast<double>(p.end) - formulas::u_torus(cost, n, n).at(flits),
                3.0 * 2 * d - 1);
    }
  }
}

TEST(ClosedForms, EdnOnToriIsAtMostItsFormulaAndThreeCyclesAStep) {
  // Equation 4.1 lets every step end with the last of three sends over 2 delta hops.
  for (int d = 2; d <= 6; ++d) {
    for (auto [alpha, gamma, bytes] :
         {std::tuple{1, 0, 128}, {100, 50, 128}, {100, 50, 2048}, {1000, 0, 2048}}) {
      const int n = 1 << d;
      const Network net{n, n, 1, {true, true, false}};
      const Schedule s = torus_edn_broadcast(net, {1, 2}, static_cast<std::uint64_t>(bytes));
      const Timing t = papers(static_cast<Cycle>(alpha), static_cast<Cycle>(gamma));
      const Prediction p = predict(net, s, t);
      const formulas::Cost cost{static_cast<double>(alpha), 1, static_cast<double>(gamma)};
      const auto flits = static_cast<double>(flits_of(static_cast<std::uint64_t>(bytes)));
      const double closed = formulas::edn_torus(cost, d).at(flits);
      EXPECT_LE(static_cast<double>(p.end), closed + 3 * d);
      std::cout << "[measured ] EDN " << n << "x" << n << " torus, alpha " << alpha << ", gamma "
                << gamma << ", " << bytes << " bytes: walk " << p.end << ", Eq. 4.1 "
                << deviation(p, closed) << " %\n";
    }
  }
}

TEST(ClosedForms, FormsWithoutHopsFallShortByTheHops) {
  for (int side : {8, 32}) {
    const Network net{side, side};
    const int k = ceil_log(2, side);
    const formulas::Cost cost{100, 1, 50};
    const auto flits = static_cast<double>(flits_of(2048));
    const Prediction rd =
        predict(net, recursive_doubling_broadcast(net, {1, 2}, 2048), papers(100, 50));
    const Prediction edn = predict(net, edn_broadcast(net, {1, 2}, 2048), papers(100, 50));
    const double rd_form = formulas::recursive_doubling_2d(cost, k).at(flits);
    const double edn_form = formulas::edn_2d(cost, k).at(flits);
    EXPECT_LT(std::abs(deviation(rd, rd_form)), 5);
    EXPECT_LT(std::abs(deviation(edn, edn_form)), 10);
    std::cout << "[measured ] " << side << "x" << side << " mesh, 2048 bytes: RD walk " << rd.end
              << ", 3.3.3 " << deviation(rd, rd_form) << " %; EDN walk " << edn.end << ", 3.3.3 "
              << deviation(edn, edn_form) << " %\n";
  }
}

TEST(SharedChannels, MessagesThatOverlapOnAChannelAreCountedWithTheirCycles) {
  // Two steps over (1,0) -> (2,0): a long message of (0,0) -> (3,0), a short one of another sender.
  const Schedule two{{{{{0, 0}, {3, 0}, 800}}, {{{1, 0}, {2, 0}, 80}}}};
  const Timing timing = papers(0, 0);
  const auto shared = shared_channels(kMesh, two, timing, predict(kMesh, two, timing));
  EXPECT_EQ(shared.same_step, 0u);
  EXPECT_EQ(shared.other_steps, 1u);
  EXPECT_EQ(shared.neighbours, 1u);
  // On that channel in cycles 3 .. 104 and 2 .. 13.
  EXPECT_EQ(shared.flit_cycles, 11u);
  const Schedule one{{{{{0, 0}, {3, 0}, 800}, {{1, 0}, {2, 0}, 80}}}};
  EXPECT_EQ(shared_channels(kMesh, one, timing, predict(kMesh, one, timing)).same_step, 1u);
}

TEST(SharedChannels, MessagesThatFollowEachOtherShareNothing) {
  const Schedule chain{{{{{0, 0}, {1, 0}, 800}}, {{{1, 0}, {2, 0}, 8}, {{0, 0}, {1, 0}, 8}}}};
  const Timing timing = papers(0, 0);
  const auto shared = shared_channels(kMesh, chain, timing, predict(kMesh, chain, timing));
  EXPECT_EQ(shared.same_step + shared.other_steps, 0u);
  // They leave one port: the second one's head is on the channel in the cycle after the first one's
  // tail.
  const Schedule both{{{{{1, 1}, {2, 1}, 800}, {{1, 1}, {4, 1}, 8}}}};
  EXPECT_EQ(shared_channels(kMesh, both, timing, predict(kMesh, both, timing)).same_step, 0u);
}

TEST(DepthContention, OfEdnOnToriIsMeasured) {
  // "avoids contention among messages sent in neighboring steps" (4.2) does not hold.
  std::uint64_t neighbours = 0;
  for (int d = 2; d <= 6; ++d) {
    const int n = 1 << d;
    const Network net{n, n, 1, {true, true, false}};
    for (auto [alpha, bytes] : {std::pair{0, 128}, {0, 2048}, {200, 128}, {200, 2048}}) {
      const Schedule s = torus_edn_broadcast(net, {1, 2}, static_cast<std::uint64_t>(bytes));
      const Timing t = papers(static_cast<Cycle>(alpha), 0);
      const auto shared = shared_channels(net, s, t, predict(net, s, t));
      EXPECT_EQ(shared.same_step, 0u);
      neighbours += shared.neighbours;
      std::cout << "[measured ] EDN " << n << "x" << n << " torus, alpha " << alpha << ", " << bytes
                << " bytes: " << shared.other_steps << " pairs of different steps share a channel, "
                << shared.neighbours << " of neighbouring ones, " << shared.flit_cycles
                << " flit-cycles\n";
    }
  }
  EXPECT_GT(neighbours, 0u);
}

}  // namespace
}  // namespace annelid::reference
