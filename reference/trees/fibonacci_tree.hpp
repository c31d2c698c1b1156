// Broadcast of a message in k packets along a Fibonacci tree (Tsai 1997, Section 5.3), in the form
// of docs/internals/algorithms/trees.md.
#pragma once

#include "reference/schedule/parts.hpp"

namespace annelid::reference {

constexpr std::uint32_t kMaxPackets = 64;

/// Returns N(t, k), the number of nodes that can have all k packets after t steps. Throws
/// std::overflow_error for values above 2^62.
std::uint64_t fibonacci_nodes(int steps, int packets);

/// Returns t(P, k), the fewest steps after which `nodes` nodes can have all packets.
int fibonacci_steps(std::uint64_t nodes, int packets);

/// Returns PARAMETER_1, or the default for 0: a packet for each 512 bytes, at most 16.
int fibonacci_packets(std::uint32_t parameter, std::uint64_t bytes);

/// Returns the schedule of the packets, which are parts of the message. Step labels rise with the
/// packets: a node sends in a step what it received in earlier steps. `packets` is 1 to 64.
PartSchedule fibonacci_packets_sent(const Network& net, Node root, int packets);

/// `packets` is as in PARAMETER_1. Throws std::invalid_argument above 64.
Schedule fibonacci_broadcast(const Network& net, Node root, std::uint64_t bytes,
                             std::uint32_t packets);

}  // namespace annelid::reference
