// Checks schedules. It routes every message, and reports contention for channels and violations of
// a broadcast's rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// An external channel: from a node to a neighbour.
struct Channel {
  Node from, to;
  friend auto operator<=>(const Channel&, const Channel&) = default;
};

/// Returns the channels of a message: dimension by dimension in the network's order, in a ring in
/// the shorter direction, and ties in the + direction. For an ideal network the result is empty,
/// because no two messages can need the same channel there.
std::vector<Channel> route(const Network& net, Node from, Node to);

/// Two messages of the same step that need the same channel: stepwise contention.
struct Conflict {
  std::size_t step = 0;  ///< 1 for the first
  Channel channel;
  Message first, second;
};

struct StepContention {
  std::vector<Conflict> conflicts;
  int max_load = 0;  ///< messages on the busiest channel
  std::uint64_t hops = 0;
  int max_sends = 0;  ///< messages of the busiest sender
};

std::vector<StepContention> contention(const Network& net, const Schedule& schedule);

/// What contention() finds in a step, counted only.
struct StepLoad {
  std::uint64_t conflicts = 0;  ///< pairs of messages, counted on each channel that they share
  std::uint64_t most = 0;       ///< messages on the busiest channel; of an ideal network, 1
  friend bool operator==(const StepLoad&, const StepLoad&) = default;
};

/// Counts the messages of steps on the channels of a network, in time that grows with the hops.
class StepLoads {
 public:
  explicit StepLoads(const Network& net);
  /// Throws std::invalid_argument if a message leaves the network.
  StepLoad of(const Step& step);

 private:
  static constexpr std::size_t kChannels = 6;  // of a node: + and - of three dimensions
  Network net_;
  std::vector<std::uint32_t> loads_;  // by channel, all 0 between steps
  std::vector<std::size_t> used_;     // those of a step
};

/// Returns the first violation of a broadcast's rules, in words, or nothing: a sender or receiver
/// outside the network, a sender that does not hold the message yet, a second delivery, or a node
/// that is never reached.
std::optional<std::string> broadcast_violation(const Network& net, Node root,
                                               const Schedule& schedule);

}  // namespace annelid::reference
