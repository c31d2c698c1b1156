// The judge's verdicts on random small networks against an exhaustive search of everything that can
// happen in them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "deadlock/judge.hpp"
#include "deadlock/network_file.hpp"
#include "testbench/deadlock/packet_game.hpp"
#include "testbench/deadlock/random_network.hpp"
#include "testbench/deadlock/replay.hpp"

namespace annelid::deadlock {
namespace {

constexpr std::size_t kLongest = 3;  // packets
constexpr std::size_t kMostPositions = 10'000;

struct Counts {
  std::map<Proof, int> proved;
  int deadlock = 0, hopeless = 0, undecided = 0, long_packets = 0;
  int too_large = 0;

  [[nodiscard]] int of(Proof proof) const {
    const auto found = proved.find(proof);
    return found == proved.end() ? 0 : found->second;
  }
};

/// Whether the packet of the refusal comes to a place from which no way leads to its destination:
/// by a walk of its own.
bool never_arrives(const Network& network, const States& states, const Judgement& judgement) {
  if (!network.answers.empty())
    return true;  // this walk follows one packet, and a reply is another
  const State& at = states[judgement.hopeless];
  std::vector<std::uint32_t> open{
      at.place < network.places() ? at.place : network.vcs() + at.place - network.places()};
  std::set<std::uint32_t> seen(open.begin(), open.end());
  while (!open.empty()) {
    const std::uint32_t held = open.back();
    open.pop_back();
    if (held < network.vcs() && network.end_of(held) == at.packet.to) return false;
    std::vector<Choice> choices;
    network.next(held, at.packet, choices);
    for (const Choice& choice : choices) {
      if (seen.insert(choice.vc).second) open.push_back(choice.vc);
    }
  }
  return true;
}

/// Verdicts of `networks` networks of a kind; every verdict is compared.
Counts compare(Kind kind, int networks) {
  Counts counts;
  for (int seed = 1; seed <= networks; ++seed) {
    const Network network = random_network(kind, static_cast<std::uint64_t>(seed));
    const States states(network);
    const Judgement judgement = judge(network, states);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + network_text(network, states));
    const PacketGame game(network);
    const std::size_t longest = network.switching == Switching::kWormhole ? kLongest : 1;
    if (judgement.verdict == Verdict::kHopeless) {
      ++counts.hopeless;
      EXPECT_TRUE(never_arrives(network, states, judgement));
      continue;
    }
    if (judgement.verdict == Verdict::kDeadlock) {
      ++counts.deadlock;
      EXPECT_EQ(replay(network, states, judgement.configuration), "");
      std::size_t held = 1;
      for (const auto& packet : judgement.configuration.packets) held = std::max(held, packet.held);
      if (held > 1) ++counts.long_packets;
    }
    const PacketGame::Outcome outcome = game.search(longest, kMostPositions);
    if (judgement.verdict == Verdict::kUndecided) ++counts.undecided;
    if (judgement.verdict == Verdict::kProved) ++counts.proved[judgement.proof];
    if (!outcome.complete) {
      ++counts.too_large;
    } else if (judgement.verdict == Verdict::kProved) {
      EXPECT_FALSE(outcome.deadlock) << "proved, " << static_cast<int>(judgement.proof);
    } else if (judgement.verdict == Verdict::kDeadlock) {
      EXPECT_TRUE(outcome.deadlock) << "found by the judge, and not by the search";
    }
    if (::testing::Test::HasFailure()) break;
  }
  std::string text;
  for (const auto& [proof, count] : counts.proved) {
    text += fmt::format("proof {}: {}, ", static_cast<int>(proof), count);
  }
  fmt::print("{}deadlock {} ({} with long packets), hopeless {}, undecided {}, too large {}\n",
             text, counts.deadlock, counts.long_packets, counts.hopeless, counts.undecided,
             counts.too_large);
  return counts;
}

TEST(JudgeOfRandomNetworks, AgreesWithASearchOfWormholeNetworks) {
  const Counts counts = compare(Kind::kWormhole, 300);
  EXPECT_GT(counts.of(Proof::kAcyclic), 50);
  EXPECT_GT(counts.of(Proof::kElimination), 10);
  EXPECT_GT(counts.of(Proof::kSearch), 0);
  EXPECT_GT(counts.deadlock, 150);
  EXPECT_GT(counts.long_packets, 10);
  EXPECT_GT(counts.undecided, 0) << "packets that block each other and cannot come one by one";
  EXPECT_LT(counts.undecided, 10);
  EXPECT_LT(counts.too_large, 60);
}

TEST(JudgeOfRandomNetworks, AgreesWithASearchOfNetworksWithEscapes) {
  const Counts counts = compare(Kind::kEscapes, 90);
  EXPECT_GT(counts.of(Proof::kEscape), 2);
  EXPECT_GT(counts.deadlock, 15);
  EXPECT_LT(counts.undecided, 5);
  EXPECT_LT(counts.too_large, 40);
}

TEST(JudgeOfRandomNetworks, AgreesWithASearchOfCutThroughNetworks) {
  const Counts counts = compare(Kind::kCutThrough, 400);
  EXPECT_GT(counts.of(Proof::kAcyclic), 40);
  EXPECT_GT(counts.of(Proof::kElimination), 20);
  EXPECT_GT(counts.deadlock, 200);
  EXPECT_EQ(counts.undecided, 0);
  EXPECT_LT(counts.too_large, 5);
}

TEST(JudgeOfRandomNetworks, AgreesWithASearchOfRingsWithBubbles) {
  const Counts counts = compare(Kind::kBubbles, 400);
  EXPECT_GT(counts.of(Proof::kBubbles), 50);
  EXPECT_GT(counts.of(Proof::kElimination), 30);
  EXPECT_GT(counts.undecided, 0) << "whether packets come to a full ring is not decided";
  EXPECT_LT(counts.undecided, 40);
  EXPECT_LT(counts.too_large, 5);
}

TEST(JudgeOfRandomNetworks, AgreesWithASearchOfRequestsAndReplies) {
  const Counts counts = compare(Kind::kAnswers, 150);
  EXPECT_GT(counts.of(Proof::kAcyclic), 20);
  EXPECT_GT(counts.of(Proof::kElimination), 10);
  EXPECT_GT(counts.deadlock, 80);
  EXPECT_LT(counts.undecided, 5);
  EXPECT_LT(counts.too_large, 40);
}

}  // namespace
}  // namespace annelid::deadlock
