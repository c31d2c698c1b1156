// The judge's verdicts on random small networks against an exhaustive search of everything that can
// happen in them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "deadlock/judge.hpp"
#include "deadlock/network_file.hpp"
#include "testbench/deadlock/packet_game.hpp"
#include "testbench/deadlock/random_network.hpp"
#include "testbench/deadlock/replay.hpp"

namespace annelid::deadlock {
namespace {

constexpr std::size_t kLongest = 3;  // packets
constexpr std::size_t kMostPositions = 20'000;

struct Counts {
  std::map<Proof, int> proved;
  int deadlock = 0, hopeless = 0, undecided = 0, long_packets = 0;
  int searched = 0, too_large = 0;
};

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
    ++counts.searched;
    if (judgement.verdict == Verdict::kUndecided) {
      ++counts.undecided;
    } else if (!outcome.complete) {
      ++counts.too_large;
    } else if (judgement.verdict == Verdict::kProved) {
      ++counts.proved[judgement.proof];
      EXPECT_FALSE(outcome.deadlock) << "proved, " << static_cast<int>(judgement.proof);
    } else {
      EXPECT_TRUE(outcome.deadlock) << "found by the judge, and not by the search";
    }
    if (::testing::Test::HasFailure()) break;
  }
  std::string text;
  for (const auto& [proof, count] : counts.proved) {
    text += " proof " + std::to_string(static_cast<int>(proof)) + ": " + std::to_string(count);
  }
  std::printf("%s, deadlock %d (%d with long packets), hopeless %d, undecided %d, too large %d\n",
              text.c_str(), counts.deadlock, counts.long_packets, counts.hopeless, counts.undecided,
              counts.too_large);
  return counts;
}

TEST(JudgeOfRandomNetworks, AgreesWithASearchOfWormholeNetworks) {
  Counts counts = compare(Kind::kWormhole, 400);
}

TEST(JudgeOfRandomNetworks, AgreesWithASearchOfCutThroughNetworks) {
  Counts counts = compare(Kind::kCutThrough, 400);
}

TEST(JudgeOfRandomNetworks, AgreesWithASearchOfRingsWithBubbles) {
  Counts counts = compare(Kind::kBubbles, 300);
}

TEST(JudgeOfRandomNetworks, AgreesWithASearchOfRequestsAndReplies) {
  Counts counts = compare(Kind::kAnswers, 300);
}

}  // namespace
}  // namespace annelid::deadlock
