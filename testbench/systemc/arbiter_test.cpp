// The arbiters: what all of them promise, and each unit by its own rule.
#include "systemc/network/arbiter.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <vector>

namespace annelid::systemc {
namespace {

/// Candidates 0 .. count - 1, as the VCs of an input and the inputs of an all-port router.
template <unsigned count>
struct InARow {
  std::array<std::uint8_t, count> next{};
  InARow() {
    for (unsigned k = 0; k < count; ++k) next[k] = static_cast<std::uint8_t>((k + 1) % count);
  }
  [[nodiscard]] Candidates all() const { return {0, count, next.data()}; }
};

/// Candidates 2, 3 and 7, as the inputs of a switch of a one-port router.
struct OfASwitch {
  std::array<std::uint8_t, 8> next{};
  OfASwitch() {
    next[2] = 3;
    next[3] = 7;
    next[7] = 2;
  }
  [[nodiscard]] Candidates all() const { return {2, 3, next.data()}; }
};

/// An arbiter with its state, all of whose picks are final.
template <class Unit>
class Arbiter {
 public:
  explicit Arbiter(const Candidates& candidates)
      : candidates_(candidates), state_(Unit::initial(candidates)) {}
  unsigned pick(unsigned requests) {
    const unsigned winner = Unit::pick(state_, requests);
    state_ = Unit::after(state_, {winner, candidates_.next[winner], candidates_.count});
    return winner;
  }
  std::vector<unsigned> picks(const std::vector<unsigned>& requests) {
    std::vector<unsigned> picks;
    for (const unsigned each : requests) picks.push_back(pick(each));
    return picks;
  }
  [[nodiscard]] unsigned first() const { return Unit::first(state_); }

 private:
  Candidates candidates_;
  typename Unit::State state_;
};

// ---- All arbiters -------------------------------------------------------------------------------

template <typename F>
void for_each_arbiter(F f) {
  for (int kind = 0; kind < Arbiters::kCount; ++kind) {
    SCOPED_TRACE(name_of(static_cast<ArbiterKind>(kind)));
    Arbiters::with(static_cast<ArbiterKind>(kind), f);
  }
}

TEST(Arbiters, PickARequesterAndThePointerIfAllRequest) {
  for_each_arbiter([]<class Unit>(Unit) {
    const InARow<5> row;
    Arbiter<Unit> arbiter(row.all());
    EXPECT_EQ(arbiter.first(), 0u) << "the order of reset";
    for (unsigned n = 1; n < 200; ++n) {
      const unsigned requests = n * 7 % 31 + 1;
      if (requests == 31) {
        const unsigned first = arbiter.first();
        EXPECT_EQ(arbiter.pick(requests), first);
        continue;
      }
      EXPECT_NE(requests >> arbiter.pick(requests) & 1, 0u) << requests;
    }
  });
}

TEST(Arbiters, ServeTheCandidatesOfASwitchOfAOnePortRouter) {
  for_each_arbiter([]<class Unit>(Unit) {
    const OfASwitch inputs;
    Arbiter<Unit> arbiter(inputs.all());
    EXPECT_EQ(arbiter.first(), 2u);
    EXPECT_EQ(arbiter.pick(1u << 7), 7u);
    EXPECT_EQ(arbiter.pick(1u << 3 | 1u << 7), 3u);
    for (int n = 0; n < 20; ++n) {
      const unsigned first = arbiter.first();
      EXPECT_EQ(arbiter.pick(1u << 2 | 1u << 3 | 1u << 7), first);
    }
  });
}

// ---- Round-robin --------------------------------------------------------------------------------

TEST(RoundRobinArbiter, TheCandidateBehindTheWinnerIsFirst) {
  const InARow<4> row;
  Arbiter<RoundRobinArbiter> arbiter(row.all());
  EXPECT_EQ(arbiter.picks({0b1111, 0b1111, 0b1001, 0b1111, 0b0110, 0b0001}),
            (std::vector<unsigned>{0, 1, 3, 0, 1, 0}));
  EXPECT_EQ(arbiter.first(), 1u);
}

TEST(RoundRobinArbiter, ThePointerFollowsTheOrderOfTheCandidates) {
  const OfASwitch inputs;
  Arbiter<RoundRobinArbiter> arbiter(inputs.all());
  EXPECT_EQ(arbiter.pick(1u << 3), 3u);
  EXPECT_EQ(arbiter.first(), 7u);
  EXPECT_EQ(arbiter.pick(1u << 7), 7u);
  EXPECT_EQ(arbiter.first(), 2u);
}

// ---- Matrix -------------------------------------------------------------------------------------

TEST(MatrixArbiter, TheLeastRecentlyServedRequesterWins) {
  const InARow<4> row;
  Arbiter<MatrixArbiter> arbiter(row.all());
  EXPECT_EQ(arbiter.picks({0b1111, 0b1111, 0b0011, 0b1111, 0b1111, 0b0111}),
            (std::vector<unsigned>{0, 1, 0, 2, 3, 1}));
  EXPECT_EQ(arbiter.first(), 0u);
}

TEST(MatrixArbiter, KeepsTheOrderOfAllOthersWithUpTo12Candidates) {
  const InARow<12> row;
  Arbiter<MatrixArbiter> arbiter(row.all());
  std::vector<unsigned> order;  // the reference: a list
  for (unsigned k = 0; k < 12; ++k) order.push_back(k);
  for (unsigned n = 1; n < 500; ++n) {
    const unsigned requests = n * 2654435761u >> 7 & 0xfff;
    if (requests == 0) continue;
    std::size_t place = 0;
    while ((requests >> order[place] & 1) == 0) ++place;
    const unsigned winner = order[place];
    ASSERT_EQ(arbiter.pick(requests), winner);
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(place));
    order.push_back(winner);
    ASSERT_EQ(arbiter.first(), order.front());
  }
}

// ---- Fixed priority -----------------------------------------------------------------------------

TEST(FixedPriorityArbiter, TheLowestRequesterWinsHoweverOftenItWasServed) {
  const InARow<4> row;
  Arbiter<FixedPriorityArbiter> arbiter(row.all());
  EXPECT_EQ(arbiter.picks({0b1111, 0b1111, 0b1110, 0b1110, 0b1100, 0b1000, 0b1010, 0b1111}),
            (std::vector<unsigned>{0, 0, 1, 1, 2, 3, 1, 0}));
  EXPECT_EQ(arbiter.first(), 0u);
}

TEST(FixedPriorityArbiter, ThePointerIsTheFirstCandidateForEver) {
  const OfASwitch inputs;
  Arbiter<FixedPriorityArbiter> arbiter(inputs.all());
  for (const unsigned k : {7u, 3u, 2u, 7u}) {
    EXPECT_EQ(arbiter.pick(1u << k), k);
    EXPECT_EQ(arbiter.first(), 2u);
  }
}

}  // namespace
}  // namespace annelid::systemc
