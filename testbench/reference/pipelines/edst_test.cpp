// Broadcast and reduction by edge-disjoint spanning trees, and the circulant reduction. State
// space: 2^d ranks to 128 (circulant: 1 .. 130 ranks), 1 .. 20 packets, the roots of
// flow_checks.hpp.
#include "reference/pipelines/edst.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "reference/pipelines/circulant.hpp"
#include "testbench/reference/flow_checks.hpp"

namespace annelid::reference {
namespace {

constexpr std::array kSomePackets = {1, 2, 3, 7, 20};

TEST(Edst, TakesAStepAPacketAndOneLessThanTheDimensions) {
  for (int d = 0; d <= 7; ++d) {
    const int p = 1 << d;
    for (const int k : kSomePackets) {
      for (const int root : roots_of(p)) {
        SCOPED_TRACE(testing::Message() << "p " << p << ", root " << root << ", k " << k);
        const DataFlow down = edst_broadcast(p, root, k), up = edst_reduction(p, root, k);
        expect_broadcast(down, root);
        expect_reduction(up, root, false);
        if (HasFatalFailure()) return;
        ASSERT_EQ(steps_of(down), d == 0 ? 0 : k + d - 1);
        ASSERT_EQ(steps_of(up), steps_of(down));
        ASSERT_EQ(messages_of(down).size(), static_cast<std::size_t>((p - 1) * k));
      }
    }
  }
}

/// What `r` sends in step t (from 0), by the table of edst.md; nothing if it sends nothing.
std::optional<int> packet_sent(int r, int t, int d, int k) {
  const int b = t % d;
  if (r == 0) return std::min(t, k - 1);
  int packet = t - d;
  if ((r >> b & 1) != 0) {
    if (r == 1 << b) return std::nullopt;
  } else {
    int s = 1;
    while ((r >> ((b + s) % d) & 1) == 0) ++s;
    packet = std::min(packet + s, k - 1);
  }
  return packet < 0 ? std::nullopt : std::optional(packet);
}

TEST(Edst, SendsWhatTheTableOfItsPageSays) {
  for (int d = 1; d <= 6; ++d) {
    for (const int k : kSomePackets) {
      std::vector<std::array<int, 4>> expected, found;  // step, from, to, packet
      for (int t = 0; t < k + d - 1; ++t) {
        for (int r = 0; r < 1 << d; ++r) {
          const std::optional<int> packet = packet_sent(r, t, d, k);
          if (packet) expected.push_back({t, r, r ^ 1 << t % d, *packet});
        }
      }
      const DataFlow flow = edst_broadcast(1 << d, 0, k);
      for (int t = 0; t < steps_of(flow); ++t) {
        for (const FlowMessage& m : flow.steps[static_cast<std::size_t>(t)]) {
          found.push_back({t, m.from, m.to, static_cast<int>(m.first)});
        }
      }
      std::ranges::sort(found);
      ASSERT_EQ(found, expected) << "d " << d << ", k " << k;
    }
  }
}

TEST(Edst, RefusesOtherNumbersOfRanks) {
  for (const int p : {3, 6, 12, 63, 65}) {
    EXPECT_FALSE(edst_takes(p));
    EXPECT_THROW((void)edst_broadcast(p, 0, 1), std::invalid_argument);
    EXPECT_THROW((void)edst_reduction(p, 0, 1), std::invalid_argument);
  }
}

TEST(CirculantReduction, TakesTheStepsOfTheBroadcast) {
  for (int p = 1; p <= kMostRanks; ++p) {
    for (const int k : {1, 3, 20}) {
      for (const int root : {0, p / 3, p - 1}) {
        SCOPED_TRACE(testing::Message() << "p " << p << ", root " << root << ", k " << k);
        const DataFlow flow = circulant_reduction(p, root, k);
        expect_reduction(flow, root, false);
        if (HasFatalFailure()) return;
        ASSERT_EQ(steps_of(flow), p == 1 ? 0 : k - 1 + log2_of(p));
        ASSERT_EQ(messages_of(flow).size(), static_cast<std::size_t>((p - 1) * k));
      }
    }
  }
}

}  // namespace
}  // namespace annelid::reference
