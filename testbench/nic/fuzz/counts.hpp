// What a fuzzed run did: nothing is tested by what never happened.
#pragma once

#include <cstdint>
#include <string>

namespace annelid::nic::fuzz {

/// Seen on the wires.
struct WireCounts {
  std::uint64_t flits = 0, data = 0, eager = 0, control = 0;
  std::uint64_t offers = 0, parks = 0, asks = 0, frees = 0;
  std::uint64_t kept_hits = 0;     ///< sends whose offer was there before them
  std::uint64_t waiting_hits = 0;  ///< sends that waited for theirs
  std::uint64_t several = 0;       ///< control packets that say more than one thing
  std::uint64_t alternating =
      0;  ///< flits that arrive between those of another packet of their port
};

/// What the stimulus did.
struct Counts {
  WireCounts wire;
  std::uint64_t messages = 0, flits = 0;  ///< of messages, also to the own node
  std::uint64_t own = 0, strided = 0, triggered = 0, explicit_port = 0, quiet = 0;
  std::uint64_t empty = 0, longest = 0;  ///< of 0 bytes, of 64 KiB
  std::uint64_t combined = 0, chained = 0, failed = 0;
  std::uint64_t apart = 0;  ///< combined with an operand that is not the target
  std::uint64_t eager_direct = 0, eager_placed = 0;
  std::uint64_t sends_full = 0, receives_full = 0;  ///< cycles in which an order found no place
  std::uint64_t waited = 0;      ///< orders that came when what they wait for was not there
  std::uint64_t unexpected = 0;  ///< messages that were posted before their receive
  std::uint64_t in_turn = 0;     ///< messages that came in their turn

  Counts& operator+=(const Counts& other);
};
std::string to_string(const Counts& counts);

}  // namespace annelid::nic::fuzz
