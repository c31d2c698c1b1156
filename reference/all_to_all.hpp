// All-to-all of Tsai 1997, Section 5.5.2. `bytes` is the length of one block, from one node to
// another. A node sends no message to itself. Both functions throw std::invalid_argument above 4096
// nodes.
#pragma once

#include "reference/network.hpp"

namespace annelid::reference {

/// Algorithm A: N - 1 steps. In step i, rank r sends to rank r + i.
Schedule direct_all_to_all(const Network& net, std::uint64_t bytes);

/// Algorithm B: one message a step, N (N - 1) steps; the last message of a rank starts the next.
Schedule token_all_to_all(const Network& net, std::uint64_t bytes);

}  // namespace annelid::reference
