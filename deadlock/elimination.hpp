// The places that packets can block for ever, found by ruling out all others, round by round.
#pragma once

#include <cstdint>
#include <vector>

#include "deadlock/network.hpp"
#include "deadlock/states.hpp"

namespace annelid::deadlock {

/// A set of packets that block each other for ever lies in `places`: whoever is at the front of a
/// place that was ruled out can always go on in the end.
struct Blockable {
  std::vector<bool> places;
  std::vector<bool> blocked;  ///< by state: all that it may take next is among `places`
  /// By state: the packet's front may be blocked from here on, further ahead.
  std::vector<bool> held;
  std::size_t count = 0;   ///< of places
  std::size_t rounds = 0;  ///< until none more could be ruled out
};

/// `long_packets`: a packet may hold a place while its front is blocked further ahead. `among`
/// limits the places; without it all places in which a packet may wait count.
[[nodiscard]] Blockable blockable(const Network& network, const States& states, bool long_packets,
                                  const std::vector<bool>& among = {});

}  // namespace annelid::deadlock
