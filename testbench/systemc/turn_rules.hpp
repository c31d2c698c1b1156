// The turn models by their forbidden turns, as the papers state them (Glass and Ni, 1992; Chiu,
// 2000): the tests' own reading. Shares no code with the units of routing.hpp, which say in each
// router which outputs are permitted. Here an output is permitted if a minimal path begins with it
// that makes no forbidden turn.
#pragma once

#include <stdexcept>
#include <vector>

#include "systemc/network/config.hpp"

namespace annelid::systemc {

/// Directions of travel have the numbers of their outputs.
enum Travel : int { kNowhere = -1, kEastward = 0, kWestward = 1, kNorthward = 2, kSouthward = 3 };

inline bool is_turn_model(RoutingKind routing) { return routing >= RoutingKind::kWestFirst; }

/// Whether a packet that comes to a router of this column by one direction must not leave by the
/// other.
inline bool is_forbidden_turn(RoutingKind routing, int from, int to, int column) {
  const bool even = column % 2 == 0, across = from >= kNorthward;
  switch (routing) {
    case RoutingKind::kWestFirst:  // no turn into west
      return across && to == kWestward;
    case RoutingKind::kNorthLast:  // no turn out of north
      return from == kNorthward && (to == kEastward || to == kWestward);
    case RoutingKind::kNegativeFirst:  // no turn from a positive direction into a negative one
      return (from == kEastward && to == kSouthward) || (from == kNorthward && to == kWestward);
    case RoutingKind::kOddEven:  // no EN and no ES in an even column, no NW and no SW in an odd one
      return even ? from == kEastward && to >= kNorthward : across && to == kWestward;
    default:
      throw std::logic_error("no turn model");
  }
}

/// The outputs that lead nearer to `to`.
inline std::vector<int> minimal_outputs(Address at, Address to) {
  std::vector<int> outputs;
  if (to.x != at.x) outputs.push_back(to.x > at.x ? kEastward : kWestward);
  if (to.y != at.y) outputs.push_back(to.y > at.y ? kNorthward : kSouthward);
  return outputs;
}

inline Address step_by(Address at, int output) {
  constexpr int kX[] = {1, -1, 0, 0}, kY[] = {0, 0, 1, -1};
  return {static_cast<std::uint8_t>(at.x + kX[output]),
          static_cast<std::uint8_t>(at.y + kY[output]), at.z};
}

/// Whether a packet that comes to `at` by a direction, or from kNowhere, can get to `to` by a
/// minimal path without a forbidden turn.
inline bool gets_through(RoutingKind routing, Address at, int by, Address to) {
  if (at == to) return true;
  for (const int output : minimal_outputs(at, to)) {
    if (by != kNowhere && is_forbidden_turn(routing, by, output, at.x)) continue;
    if (gets_through(routing, step_by(at, output), output, to)) return true;
  }
  return false;
}

/// The outputs by which it can.
inline std::vector<int> outputs_by_turns(RoutingKind routing, Address at, int by, Address to) {
  std::vector<int> outputs;
  for (const int output : minimal_outputs(at, to)) {
    if (by != kNowhere && is_forbidden_turn(routing, by, output, at.x)) continue;
    if (gets_through(routing, step_by(at, output), output, to)) outputs.push_back(output);
  }
  return outputs;
}

}  // namespace annelid::systemc
