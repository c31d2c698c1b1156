// The conditions of a round-optimal broadcast on a circulant graph (Träff 2023). State space: all
// numbers of ranks to 500, every seventh to 2,000; all were tried once.
#include "reference/circulant.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/formulas.hpp"

namespace annelid::reference {
namespace {

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
