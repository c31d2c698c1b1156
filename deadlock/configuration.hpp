// Packets that block each other, one by one, and how they come there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "deadlock/elimination.hpp"
#include "deadlock/network.hpp"
#include "deadlock/states.hpp"

namespace annelid::deadlock {

/// A packet that will not move again.
struct BlockedPacket {
  /// From its injection to its front, which is blocked. A packet without a known way begins with
  /// what it holds.
  std::vector<StateId> way;
  std::size_t held = 1;  ///< how many states at the end of its way it holds
  [[nodiscard]] StateId front() const { return way.back(); }
};

/// All that the fronts may take next is held by packets among them.
struct Configuration {
  std::vector<BlockedPacket> packets;  ///< in an order in which they can come
  bool reached = false;                ///< each packet's way is free when its turn comes
};

/// What a search for a configuration found.
struct Search {
  std::optional<Configuration> found;
  bool complete = true;  ///< if nothing was found, then because there is nothing
};

/// Looks for packets that hold one place each. `short_packets` is blockable(..., false). There are
/// some exactly if it has places; one with `reached` is preferred.
[[nodiscard]] Search find_short(const Network& network, const States& states,
                                const Blockable& short_packets);

/// Looks for packets that hold several VCs each. `long_packets` is blockable(..., true).
[[nodiscard]] Search find_long(const Network& network, const States& states,
                               const Blockable& long_packets);

/// Held places in a circle: each packet's places in the order in which it came through, then a
/// place that its front waits for.
[[nodiscard]] std::vector<std::uint32_t> cycle_of(const Configuration& configuration,
                                                  const States& states);

}  // namespace annelid::deadlock
