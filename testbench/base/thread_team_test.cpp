#include "base/thread_team.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace annelid {
namespace {

std::vector<std::byte> bytes_of(int count) {
  return std::vector<std::byte>(static_cast<std::size_t>(count), std::byte(count));
}

TEST(ThreadTeam, GivesEachThreadWhatItsNeighbourHasSent) {
  constexpr int kThreads = 3, kRounds = 1000;
  ThreadTeam team(kThreads);
  std::array<std::uint32_t, kThreads> wrong{};
  team.run([&](int rank) {
    const int above = (rank + 1) % kThreads, below = (rank + kThreads - 1) % kThreads;
    std::array<Exchange::Link, 2> links = {Exchange::Link{above, 2 * rank, 2 * rank + 1, {}, {}},
                                           Exchange::Link{below, 2 * below + 1, 2 * below, {}, {}}};
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      const std::size_t words = round % 5;  // 0 is a message, too
      links[0].out.assign(words, round * 10 + static_cast<std::uint32_t>(rank));
      links[1].out.assign(words, round * 1000 + static_cast<std::uint32_t>(rank));
      team.exchange(rank).swap(links);
      const std::vector<std::uint32_t> from_above(words,
                                                  round * 1000 + static_cast<std::uint32_t>(above));
      const std::vector<std::uint32_t> from_below(words,
                                                  round * 10 + static_cast<std::uint32_t>(below));
      if (links[0].in != from_above || links[1].in != from_below)
        ++wrong.at(static_cast<std::size_t>(rank));
    }
  });
  EXPECT_EQ(wrong, (std::array<std::uint32_t, kThreads>{}));
  EXPECT_EQ(team.exchange(1).traffic().swaps, kRounds);
  EXPECT_EQ(team.exchange(1).traffic().messages, 2 * kRounds);
  EXPECT_EQ(team.exchange(1).traffic().bytes, 2 * 4 * kRounds * 2U);  // 2 words on average
}

TEST(ThreadTeam, HasALinkBetweenAThreadAndItself) {
  ThreadTeam team(1);
  team.run([&](int) {
    std::array<Exchange::Link, 2> links = {Exchange::Link{0, 0, 1, {7}, {}},
                                           Exchange::Link{0, 1, 0, {8, 9}, {}}};
    team.exchange(0).swap(links);
    EXPECT_EQ(links[0].in, (std::vector<std::uint32_t>{8, 9}));
    EXPECT_EQ(links[1].in, (std::vector<std::uint32_t>{7}));
  });
}

TEST(ThreadTeam, FindsSumsAndLeastValues) {
  constexpr int kThreads = 4;
  ThreadTeam team(kThreads);
  std::array<std::array<std::uint64_t, 4>, kThreads> found{};
  team.run([&](int rank) {
    Exchange& exchange = team.exchange(rank);
    auto& mine = found.at(static_cast<std::size_t>(rank));
    const auto value = static_cast<std::uint64_t>(rank);
    std::array<std::uint64_t, 2> sums = {value, 100}, least = {value + 5, 100 - value};
    exchange.sum(sums);
    exchange.begin_least(least);
    exchange.end_least();
    mine = {sums[0], sums[1], least[0], least[1]};
  });
  for (const auto& each : found) {
    EXPECT_EQ(each, (std::array<std::uint64_t, 4>{6, 400, 5, 97}));
  }
}

TEST(ThreadTeam, GathersBytesInRank0) {
  constexpr int kThreads = 3;
  ThreadTeam team(kThreads);
  std::array<std::vector<std::vector<std::byte>>, kThreads> found;
  team.run([&](int rank) {
    found.at(static_cast<std::size_t>(rank)) = team.exchange(rank).gather(bytes_of(rank));
  });
  EXPECT_EQ(found[0], (std::vector{bytes_of(0), bytes_of(1), bytes_of(2)}));
  EXPECT_TRUE(found[1].empty());
  EXPECT_TRUE(found[2].empty());
}

TEST(ThreadTeam, EndsAllThreadsIfOneFails) {
  constexpr int kThreads = 3;
  for (int failing = 0; failing < kThreads; ++failing) {
    ThreadTeam team(kThreads);
    std::array<bool, kThreads> ended{};
    const auto job = [&](int rank) {
      std::array<std::uint64_t, 1> value = {1};
      try {
        for (int round = 0;; ++round) {
          if (rank == failing && round == 10) throw std::runtime_error("no more");
          team.exchange(rank).sum(value);
        }
      } catch (const EndedByOther&) {
        ended.at(static_cast<std::size_t>(rank)) = true;
        throw;
      }
    };
    try {
      team.run(job);
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "no more");
    }
    for (int rank = 0; rank < kThreads; ++rank) {
      EXPECT_EQ(ended.at(static_cast<std::size_t>(rank)), rank != failing);
    }
  }
}

}  // namespace
}  // namespace annelid
