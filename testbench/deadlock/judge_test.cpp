// The judge's theorems on networks made for each of them.
#include "deadlock/judge.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "deadlock/network_file.hpp"
#include "deadlock/report.hpp"
#include "testbench/deadlock/network_of_text.hpp"
#include "testbench/deadlock/packet_game.hpp"
#include "testbench/deadlock/replay.hpp"

namespace annelid::deadlock {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

struct Judged {
  explicit Judged(const std::string& text)
      : network(network_of_text(text)), states(network), judgement(judge(network, states)) {}
  [[nodiscard]] std::string report() const { return report_text({network, states, judgement}); }
  Network network;
  States states;
  Judgement judgement;
};

/// A ring of three nodes on which every packet goes two hops.
const std::string kRing =
    "node a\nnode b\nnode c\nchannel ab a b\nchannel bc b c\nchannel ca c a\n";
const std::string kTwoHops =
    "route @a c: ab\nroute ab c: bc\nroute @b a: bc\nroute bc a: ca\nroute @c b: ca\n"
    "route ca b: ab\n";

TEST(Judge, OnlyDependenciesOfPacketsThatCanBeThereCount) {
  const Judged all(kRing + kTwoHops);
  EXPECT_EQ(all.judgement.verdict, Verdict::kDeadlock);
  EXPECT_EQ(replay(all.network, all.states, all.judgement.configuration), "");
  EXPECT_THAT(all.judgement.cycle, SizeIs(3));
  EXPECT_THAT(all.report(), HasSubstr("packets can deadlock"));

  // Nobody sends what would go from ca to ab, although the route is there.
  std::string fewer = kTwoHops;
  fewer.erase(fewer.find("route @c b: ca\n"), 15);
  const Judged some(kRing + fewer);
  EXPECT_EQ(some.judgement.proof, Proof::kAcyclic);
  EXPECT_EQ(some.judgement.dependencies, 2u);
}

TEST(Judge, APacketThatCannotArriveIsRefusedWithItsWay) {
  const Judged end(kRing + "route @a c: ab\n");
  EXPECT_EQ(end.judgement.verdict, Verdict::kHopeless);
  EXPECT_THAT(end.report(), HasSubstr("to c, by @a -> ab: no channel is permitted from there"));

  const Judged circle(kRing +
                      "node d\nroute @a d: ab\nroute ab d: bc\nroute bc d: ca\nroute ca d: ab\n");
  EXPECT_EQ(circle.judgement.verdict, Verdict::kHopeless);
  EXPECT_THAT(circle.report(), HasSubstr("no way from there leads to its destination"));
}

// Four nodes in a circle. Packets that go two hops may leave the ring at each node by an escape.
const std::string kEscapeRing =
    "node a\nnode b\nnode c\n"
    "channel ab a b\nchannel bc b c\nchannel ca c a\n"
    "channel fb a b\nchannel fc b c\nchannel gb c b\nchannel ga b a\n"
    "escape fb fc gb ga\n"
    "route @a b: ab fb\nroute @a c: ab fb\nroute @b c: bc fc\nroute @b a: bc ga\n"
    "route @c a: ca gb\nroute @c b: ca gb\n"
    "route ab c: bc fc\nroute fb c: bc fc\nroute bc a: ca gb\nroute fc a: gb\nroute gb a: ga\n"
    "route ca b: ab fb\nroute ga c: fb\n";

TEST(Judge, AnEscapeThatIsAlwaysOpenProves) {
  const Judged judged(kEscapeRing);
  EXPECT_EQ(judged.judgement.proof, Proof::kEscape);
  EXPECT_FALSE(PacketGame(judged.network).search(2, 300'000).deadlock);
}

TEST(Judge, AnEscapeThatIsNotOpenEverywhereProvesNothing) {
  std::string text = kEscapeRing;
  for (const char* route : {"ab c: bc fc", "bc a: ca gb", "ca b: ab fb"}) {
    text.erase(text.find(route) + std::string(route).size() - 3, 3);
  }
  const Judged judged(text);
  EXPECT_TRUE(judged.judgement.lacks_escape);
  EXPECT_EQ(judged.judgement.verdict, Verdict::kDeadlock);
  EXPECT_EQ(replay(judged.network, judged.states, judged.judgement.configuration), "");
  EXPECT_THAT(judged.report(), HasSubstr("escapes     prove nothing: none is open to a packet"));
}

// Buffers that hold flits of several packets: who is behind another cannot take its escape.
TEST(Judge, EscapesProveNothingWherePacketsShareBuffers) {
  const Judged judged("switching shared\n" + kEscapeRing);
  EXPECT_EQ(judged.judgement.verdict, Verdict::kUndecided);
  EXPECT_EQ(judged.judgement.proof, Proof::kNone);
  EXPECT_THAT(judged.report(), HasSubstr("not proved"));
}

// A packet leaves the escape by an adaptive channel and asks for the escape again: an indirect
// dependency. The direct ones alone have no cycle.
TEST(Judge, AnEscapeThatIsHeldFurtherAheadCounts) {
  const std::string text =
      "node a\nnode b\nnode c\nnode d\n"
      "channel e1 a b\nchannel e2 c d\nchannel x1 b c\nchannel x2 d a\n"
      "escape e1 e2\n"
      "route @a d: e1\nroute e1 d: x1\nroute x1 d: e2\n"
      "route @c b: e2\nroute e2 b: x2\nroute x2 b: e1\n";
  const Judged judged(text);
  EXPECT_EQ(judged.judgement.verdict, Verdict::kDeadlock);
  EXPECT_EQ(replay(judged.network, judged.states, judged.judgement.configuration), "");

  // With x1 and x2 marked for these packets alone, every packet has an escape, and the cycle of
  // dependencies among the escapes is found.
  std::string marked = text;
  for (const char* route : {"e1 d: x1", "e2 b: x2"}) {
    marked.insert(marked.find(route) + std::string(route).size(), "!");
  }
  const Judged all(marked);
  EXPECT_FALSE(all.judgement.lacks_escape);
  EXPECT_FALSE(all.judgement.escape_cycle.empty());
  EXPECT_EQ(all.judgement.verdict, Verdict::kDeadlock);
}

TEST(Judge, ARingWithBubblesIsProvedUnlessPacketsCannotLeaveIt) {
  const std::string bubble = "switching cut-through\n" + kRing + "bubble ring ab bc ca\n";
  EXPECT_EQ(Judged(bubble + kTwoHops).judgement.proof, Proof::kBubbles);
  EXPECT_EQ(Judged("switching cut-through\n" + kRing + kTwoHops).judgement.verdict,
            Verdict::kDeadlock);

  // Packets to d leave the ring at a, and want to enter it again at c. In front of them are packets
  // to a, which wait behind packets that leave.
  const Judged judged(
      "switching cut-through\nnode a\nnode b\nnode c\nnode d\nnode f\nnode e\n"
      "channel ab a b\nchannel bc b c\nchannel cd c d\nchannel df d f\nchannel fa f a\n"
      "channel ae a e\nchannel ec e c\nbubble ring ab bc cd df fa\n"
      "route @f d: fa\nroute fa d: ae\nroute ae d: ec\nroute ec d: cd\n"
      "route @c a: cd\nroute cd a: df\nroute df a: fa\n");
  EXPECT_EQ(judged.judgement.verdict, Verdict::kUndecided);
  EXPECT_THAT(judged.report(), HasSubstr("whether they can come to it is not known"));
  EXPECT_TRUE(PacketGame(judged.network).search(1, 300'000).deadlock);
}

TEST(Judge, ARequestWaitsForTheReplyOfItsDestination) {
  const std::string line =
      "node a\nnode b\nchannel ab a b 2\nchannel ba b a 2\nclass request reply\n";
  const std::string routes =
      "route @a b request: ab.0\nroute @b a request: ba.0\nroute @a b reply: ab.1\n"
      "route @b a reply: ba.1\n";
  const std::string answer = "answer request reply\n";
  EXPECT_EQ(Judged(line + answer + routes).judgement.proof, Proof::kAcyclic);

  std::string shared = routes;
  for (const char* vc : {"ab.1", "ba.1"}) shared.replace(shared.find(vc) + 3, 1, "0");
  EXPECT_EQ(Judged(line + shared).judgement.proof, Proof::kAcyclic) << "nothing is answered";
  const Judged judged(line + answer + shared);
  EXPECT_EQ(judged.judgement.verdict, Verdict::kDeadlock);
  EXPECT_EQ(replay(judged.network, judged.states, judged.judgement.configuration), "");
  EXPECT_THAT(judged.report(), HasSubstr("node b's reply"));
}

// A packet that holds ab and bc waits for cd. One that holds only ab could leave by bx, which leads
// to its destination.
TEST(Judge, LongPacketsDeadlockWhereShortOnesDoNot) {
  const Judged judged(
      "node a\nnode b\nnode c\nnode d\n"
      "channel ab a b\nchannel bc b c\nchannel cd c d\nchannel da d a\nchannel bx b d\n"
      "route @a d: ab\nroute ab d: bc bx\nroute bc d: cd\n"
      "route @c b: cd\nroute cd b: da\nroute da b: ab\n");
  EXPECT_EQ(judged.judgement.verdict, Verdict::kDeadlock);
  EXPECT_EQ(replay(judged.network, judged.states, judged.judgement.configuration), "");
  EXPECT_TRUE(std::ranges::any_of(judged.judgement.configuration.packets,
                                  [](const BlockedPacket& packet) { return packet.held > 1; }));
  const PacketGame game(judged.network);
  EXPECT_FALSE(game.search(1, 300'000).deadlock);
  EXPECT_TRUE(game.search(2, 300'000).deadlock);
}

}  // namespace
}  // namespace annelid::deadlock
