// The arbiters (docs/internals/microarchitecture.md, section 4): a policy unit for each. The router
// kernel asks the unit. CONTRIBUTING.md says how to add an arbiter.
//
// A unit has no registers. It says what the registers of one arbiter are (`State`, a byte or a
// word, so that a kernel keeps those of all its arbiters side by side), and how they change.
#pragma once

#include <bit>
#include <cstdint>
#include <iterator>

#include "systemc/network/config.hpp"
#include "systemc/network/policy.hpp"
#include "systemc/network/slot.hpp"

namespace annelid::systemc {

/// The candidates of an arbiter in their order after reset: `first`, next[first], and so on, and
/// the next of the last one is the first again.
struct Candidates {
  unsigned first, count;
  const std::uint8_t* next;
};

/// A final pick: the only event that may change an arbiter's order.
struct FinalPick {
  unsigned winner;
  unsigned next;   ///< the candidate after it, as in Candidates
  unsigned count;  ///< of all candidates
};

/// After a final pick, the candidate behind the winner is the first.
struct RoundRobinArbiter {
  static constexpr ArbiterKind kKind = ArbiterKind::kRoundRobin;
  static constexpr bool kPlanes = true;  ///< plane_arbiters.hpp has it, too
  using State = std::uint8_t;            ///< the pointer

  static constexpr State initial(const Candidates& candidates) {
    return static_cast<State>(candidates.first);
  }
  /// The candidate that would win if all requested: the arbiter's pointer.
  static constexpr unsigned first(State pointer) { return pointer; }
  /// Bit k of `requests`, which is not 0: candidate k requests.
  static constexpr unsigned pick(State pointer, unsigned requests) {
    return round_robin(requests, pointer);
  }
  static constexpr State after(State /*pointer*/, const FinalPick& pick) {
    return static_cast<State>(pick.next);
  }
};

/// The least recently served candidate is the first.
struct MatrixArbiter {
  static constexpr ArbiterKind kKind = ArbiterKind::kMatrix;
  static constexpr bool kPlanes = false;
  using State =
      std::uint64_t;  ///< up to 12 candidates in their order, from the lowest four bits on

  static constexpr State initial(const Candidates& candidates) {
    State order = 0;
    unsigned k = candidates.first;
    for (unsigned place = 0; place < candidates.count; ++place, k = candidates.next[k]) {
      order |= State{k} << 4 * place;
    }
    return order;
  }
  static constexpr unsigned first(State order) { return order & 0xf; }
  static constexpr unsigned pick(State order, unsigned requests) {
    while ((requests >> (order & 0xf) & 1) == 0) order >>= 4;
    return order & 0xf;
  }
  /// The winner moves to the end.
  static constexpr State after(State order, const FinalPick& pick) {
    unsigned at = 0;
    while ((order >> at & 0xf) != pick.winner) at += 4;
    const State before = order & ((State{1} << at) - 1);
    return before | order >> at >> 4 << at | State{pick.winner} << 4 * (pick.count - 1);
  }
};

/// The lowest candidate that requests wins, always. So others can wait without end.
struct FixedPriorityArbiter {
  static constexpr ArbiterKind kKind = ArbiterKind::kFixedPriority;
  static constexpr bool kPlanes = false;
  using State = std::uint8_t;  ///< the first candidate: it never changes

  static constexpr State initial(const Candidates& candidates) {
    return static_cast<State>(candidates.first);
  }
  static constexpr unsigned first(State lowest) { return lowest; }
  static constexpr unsigned pick(State /*lowest*/, unsigned requests) {
    return static_cast<unsigned>(std::countr_zero(requests));
  }
  static constexpr State after(State lowest, const FinalPick& /*pick*/) { return lowest; }
};

/// All arbiters, in the order of ArbiterKind.
using Arbiters = PolicyList<RoundRobinArbiter, MatrixArbiter, FixedPriorityArbiter>;
static_assert(Arbiters::kCount == std::ssize(parameters::kArbitersValues), "a unit for each name");

}  // namespace annelid::systemc
