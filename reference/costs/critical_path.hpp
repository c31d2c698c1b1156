// Predicts when each node has its message, for a schedule that is played
// (docs/internals/algorithms/operations.md, "Playing a schedule") on a network in which no message
// ever waits for another's channel. The alphas of a node's sends follow each other. Then a message
// takes its hops and flits, and gamma follows. This is Tsai 1997, Section 4.4.2, with the exact
// cycles of docs/internals/microarchitecture.md, section 6, and docs/internals/nic/registers.md
// and engines.md.
#pragma once

#include <optional>
#include <vector>

#include "reference/schedule/network.hpp"

namespace annelid::reference {

using Cycle = std::uint64_t;

/// All values are in cycles unless the comment says otherwise. The defaults are those of the router
/// and the NIC.
struct Timing {
  Cycle alpha = 0;
  Cycle gamma = 0;
  Cycle pipeline = 1;        ///< stages of a router
  Cycle link_registers = 0;  ///< of an external channel
  bool one_port = false;     ///< routers; else all-port
  int local_ports = 0;       ///< of an all-port router; 0: twice the dimensions
  /// The time from a completion to the start of the sends that waited for it: 1 for firmware
  /// without instruction cost.
  Cycle reaction = 1;
  /// Whether receives combine with the node's partial result, in the order of the steps and of the
  /// senders (docs/internals/nic/combining.md).
  bool combining = false;
  /// Whether receives are posted and offered to their senders. If false, messages never wait for an
  /// offer, as in the papers.
  bool offers = true;
  /// Whether a node offers a receive only when the message of the one before has begun to come
  /// (docs/internals/nic/messages.md, "Receives in turn"); only with offers.
  bool in_turn = false;
  Cycle posted = 0;  ///< when receives are posted: later than 0 if a node copies its own block
                     ///< first; only with offers
  std::uint64_t eager_bytes = 64;  ///< longest message that goes without an offer; only with offers
};

/// A message of a schedule: steps[step].at(index). Both count from 0.
struct MessageId {
  std::size_t step = 0, index = 0;
  friend bool operator==(const MessageId&, const MessageId&) = default;
};

struct MessageTimes {
  Cycle go = 0;        ///< the sender has described it to its NIC
  Cycle head = 0;      ///< its head is on the injection channel
  Cycle tail = 0;      ///< its tail is on the injection channel
  Cycle received = 0;  ///< the receive is complete
  /// The last message that it waited for: one that its sender had to receive or send before.
  std::optional<MessageId> after;
};

struct Prediction {
  std::vector<std::vector<MessageTimes>> messages;  ///< as the schedule's
  std::vector<Cycle> complete;  ///< by node number: its last receive; 0 if it receives nothing
  Cycle end = 0;                ///< the last of them
  std::vector<MessageId> path;  ///< the chain of messages that the end waits for, first one first
};

/// Throws std::invalid_argument for a message to its own sender, which uses no network.
Prediction predict(const Network& net, const Schedule& schedule, const Timing& timing);

}  // namespace annelid::reference
