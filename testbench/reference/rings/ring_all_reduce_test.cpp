// All-reduce by pieces (Barnett and others 1994, 4). State space: small networks, block lengths of
// 0 to 200 bytes; the order of combining is followed with words that count how they were combined.
#include "reference/rings/ring_all_reduce.hpp"

#include <cstring>
#include <string>

#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

TEST(RingAllReduce, TakesTwiceSizeMinusOneStepsADimensionWithoutContention) {
  for (const Network& net : kSmallNetworks) {
    const Schedule schedule = ring_all_reduce(net, 1000);
    EXPECT_EQ(static_cast<int>(schedule.steps.size()), 2 * (net.x + net.y + net.z - 3));
    EXPECT_EQ(conflicts(net, schedule), 0u) << to_string(net);
    EXPECT_LE(most_sends(net, schedule), 1);
  }
}

TEST(RingAllReduce, EveryContributionIsInEveryPieceOnceAndIsNotSentAfterItWasPassedOn) {
  // Follows who is in whose partial result, part by part, from the messages alone.
  for (const Network& net : kSmallNetworks) {
    const int n = net.nodes();
    std::vector<std::vector<std::multiset<int>>> in;  // [node][part]
    for (int i = 0; i < n; ++i) {
      in.emplace_back(static_cast<std::size_t>(n), std::multiset<int>{i});
    }
    for (const auto& step : combining_parts(net)) {
      const auto before = in;
      for (const PartMessage& m : step) {
        for (std::uint64_t p = m.first; p < m.end; ++p) {
          const auto& from = before[static_cast<std::size_t>(index_of(net, m.from))][p];
          in[static_cast<std::size_t>(index_of(net, m.to))][p].insert(from.begin(), from.end());
        }
      }
    }
    for (int place = 0; place < n; ++place) {
      const auto owner = static_cast<std::size_t>(index_of(net, node_at_place(net, place)));
      const auto& whole = in[owner][static_cast<std::size_t>(place)];
      ASSERT_EQ(static_cast<int>(whole.size()), n) << to_string(net);
      ASSERT_EQ(std::set<int>(whole.begin(), whole.end()).size(), static_cast<std::size_t>(n));
    }
  }
}

std::vector<std::vector<std::byte>> random_blocks(int nodes, std::size_t bytes) {
  std::mt19937 random(7);
  std::vector<std::vector<std::byte>> blocks(static_cast<std::size_t>(nodes));
  for (auto& block : blocks) {
    for (std::size_t i = 0; i < bytes; ++i) block.push_back(static_cast<std::byte>(random()));
  }
  return blocks;
}

TEST(RingAllReduce, ResultIsTheCombinationOfAllBlocksForLengthsThatDoNotDivide) {
  const Combine exclusive_or = [](std::span<std::byte> partial, std::span<const std::byte> m) {
    ASSERT_EQ(partial.size(), m.size());
    for (std::size_t i = 0; i < m.size(); ++i) partial[i] ^= m[i];
  };
  for (const Network& net : kSmallNetworks) {
    for (std::size_t bytes : {0u, 1u, 7u, 8u, 64u, 100u, 200u}) {
      const auto blocks = random_blocks(net.nodes(), bytes);
      std::vector<std::byte> expected(bytes);
      for (const auto& block : blocks) {
        for (std::size_t i = 0; i < bytes; ++i) expected[i] ^= block[i];
      }
      EXPECT_EQ(ring_all_reduce_result(net, blocks, exclusive_or), expected) << to_string(net);
    }
  }
}

TEST(RingAllReduceExample, ARowOfThreeCombinesInTheOrderOfTheRing) {
  // Piece p starts at p + 1; each node puts its own partial result on the left. "02" shows as 2.
  std::vector<std::vector<std::byte>> blocks;
  for (int r = 0; r < 3; ++r) blocks.emplace_back(24, static_cast<std::byte>(r));
  std::vector<std::string> log;
  const Combine combine = [&](std::span<std::byte> partial, std::span<const std::byte> message) {
    log.push_back(std::to_string(static_cast<int>(partial[0])) + "+" +
                  std::to_string(static_cast<int>(message[0])));
    for (auto& b : partial)
      b = static_cast<std::byte>(10 * static_cast<int>(b) + static_cast<int>(message[0]));
  };
  const auto result = ring_all_reduce_result({3, 1}, blocks, combine);
  EXPECT_EQ(log, (std::vector<std::string>{"1+0", "2+1", "0+2", "1+2", "2+10", "0+21"}));
  EXPECT_EQ(result.size(), 24u);
}

TEST(RingAllReduceErrors, BlocksOfDifferentLengthsAreRefused) {
  const Combine nothing = [](auto, auto) {};
  EXPECT_THROW(ring_all_reduce_result({2, 1}, {std::vector<std::byte>(8)}, nothing),
               std::invalid_argument);
  EXPECT_THROW(ring_all_reduce_result(
                   {2, 1}, {std::vector<std::byte>(8), std::vector<std::byte>(9)}, nothing),
               std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
