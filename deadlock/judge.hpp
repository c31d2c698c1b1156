// Decides whether a network can deadlock: docs/internals/deadlock.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "deadlock/configuration.hpp"
#include "deadlock/network.hpp"
#include "deadlock/states.hpp"

namespace annelid::deadlock {

enum class Verdict : std::uint8_t {
  kProved,     ///< packets cannot deadlock
  kDeadlock,   ///< packets can come to block each other
  kHopeless,   ///< a packet can come to where it is never delivered
  kUndecided,  ///< neither a proof nor packets that can come to block each other
};

/// What proves that packets cannot deadlock.
enum class Proof : std::uint8_t {
  kNone,
  kAcyclic,      ///< Dally and Seitz: no cycle of dependencies
  kBubbles,      ///< no cycle of dependencies between rings with bubbles
  kEscape,       ///< Duato: always an escape, no cycle of dependencies among escapes
  kElimination,  ///< no place is left that packets could block for ever
  kSearch,       ///< every set of packets was tried, and none blocks itself
};

struct Judgement {
  Verdict verdict = Verdict::kProved;
  Proof proof = Proof::kNone;
  std::size_t dependencies = 0, rounds = 0;
  /// Places in a circle: of `configuration`, or of dependencies that are not proved harmless.
  std::vector<std::uint32_t> cycle;
  Configuration configuration;  ///< packets that block each other; perhaps none
  /// Why the escapes that are marked prove nothing: a cycle among them ...
  std::vector<std::uint32_t> escape_cycle;
  bool lacks_escape = false;  ///< ... or a packet without one, `escapeless`
  StateId escapeless = 0;
  StateId hopeless = 0;         ///< from here on a packet is never delivered
  std::vector<StateId> way_to;  ///< the states through which a packet comes to `hopeless`
};

/// `states` must be complete.
[[nodiscard]] Judgement judge(const Network& network, const States& states);

}  // namespace annelid::deadlock
