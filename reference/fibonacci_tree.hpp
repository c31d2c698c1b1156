// Broadcast of a message in k packets along a Fibonacci tree (Tsai 1997, Section 5.3), in the form
// of docs/internals/algorithms/trees.md.
#pragma once

#include "reference/parts.hpp"

namespace annelid::reference {

constexpr std::uint32_t kMaxPackets = 64;

/// N(t, k): nodes that can have all k packets after t steps. Values above 2^62 are not computed:
/// std::overflow_error.
std::uint64_t fibonacci_nodes(int steps, int packets);

/// t(P, k): the fewest steps after which `nodes` nodes can have all packets.
int fibonacci_steps(std::uint64_t nodes, int packets);

/// PARAMETER_1, or what stands for 0: a packet for each 512 bytes, at most 16.
int fibonacci_packets(std::uint32_t parameter, std::uint64_t bytes);

/// Which packet, a part of the message, goes where. Step labels rise with the packets: what a node
/// sends in a step it has received in earlier ones. `packets`: 1 to 64.
PartSchedule fibonacci_packets_sent(const Network& net, Node root, int packets);

/// `packets` as PARAMETER_1. Throws std::invalid_argument for more than 64.
Schedule fibonacci_broadcast(const Network& net, Node root, std::uint64_t bytes,
                             std::uint32_t packets);

}  // namespace annelid::reference
