// The conditions of a round-optimal broadcast on a circulant graph (Träff 2023). State space: all
// numbers of ranks to 500, every seventh to 2,000; all were tried once.
#include "reference/pipelines/circulant.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/catalogue.hpp"
#include "reference/costs/formulas.hpp"

namespace annelid::reference {
namespace {

/// The bounds that CCL (Section 4.2) cites for generalised Fibonacci trees and cascaded hypercubes,
/// in packets of one unit: C2 <= m + lg n + 3 lg lg n + 15, and C2 = m + ceil(lg n).
TEST(CirculantBroadcast, AndReductionKeepTheBoundsOfCclForEveryNumberOfRanks) {
  constexpr std::uint64_t kUnit = 8;
  for (const Operation operation : {Operation::kBroadcast, Operation::kReduce}) {
    const Algorithm* const circulant = find_algorithm(operation, "circulant");
    ASSERT_NE(circulant, nullptr);
    for (int n = 2; n <= 130; ++n) {
      for (const std::uint64_t m : {1U, 2U, 7U, 40U}) {
        const Schedule schedule = circulant->schedule({.network = {n, 1},
                                                       .root = {},
                                                       .bytes = m * kUnit,
                                                       .parameter = static_cast<std::uint32_t>(m)});
        std::uint64_t sequence = 0;
        for (const Step& step : schedule.steps) {
          std::uint64_t longest = 0;
          for (const Message& message : step) longest = std::max(longest, message.bytes);
          sequence += longest;
        }
        const auto log = formulas::fewest_steps(static_cast<std::uint64_t>(n), 1);
        ASSERT_EQ(sequence, (m + static_cast<std::uint64_t>(log) - 1) * kUnit)
            << n << " ranks, " << m << " units";
      }
    }
  }
}

TEST(CirculantSchedule, KeepsItsFourConditionsUpTo2000Ranks) {
  // Sets of packets as bits: packet n of a round is bit n + L. What is received before the first
  // round of a phase is in bits 0 .. L - 1.
  const auto bit = [](int packet, int rounds) { return std::uint32_t{1} << (packet + rounds); };
  for (int p = 2; p <= 2000; p += p < 500 ? 1 : 7) {
    const CirculantSchedule s = circulant_schedule(p);
    const int rounds = s.rounds();
    ASSERT_EQ(rounds, formulas::fewest_steps(static_cast<std::uint64_t>(p), 1));
    std::vector<std::uint32_t> has(static_cast<std::size_t>(p), 0);
    for (int r = 0; r < p; ++r) {
      // In L rounds L different packets: those of the phase before, or the one that is new for r in
      // place of the one that was, which r had already.
      std::uint32_t received = 0;
      int fresh = -1;
      for (const int packet : s.receives[static_cast<std::size_t>(r)]) {
        received |= bit(packet, rounds);
        fresh = std::max(fresh, packet);
      }
      std::uint32_t expected = bit(0, rounds) - 1;
      if (r > 0) {
        ASSERT_GE(fresh, 0) << p << ": rank " << r;
        has[static_cast<std::size_t>(r)] = bit(fresh - rounds, rounds);
        expected = expected - bit(fresh - rounds, rounds) + bit(fresh, rounds);
      }
      ASSERT_EQ(received, expected) << p << ": rank " << r;
    }
    for (int i = 0; i < rounds; ++i) {
      ASSERT_EQ(s.sends(0, i), i) << p << ": the root sends a new packet in each round";
      for (int r = 1; r < p; ++r) {
        if ((r + s.skips[static_cast<std::size_t>(i)]) % p == 0) continue;
        ASSERT_NE(has[static_cast<std::size_t>(r)] & bit(s.sends(r, i), rounds), 0U)
            << p << ": rank " << r << " has not what it sends in round " << i;
      }
      for (std::size_t r = 1; r < static_cast<std::size_t>(p); ++r) {
        has[r] |= bit(s.receives[r][static_cast<std::size_t>(i)], rounds);
      }
    }
  }
}

}  // namespace
}  // namespace annelid::reference
