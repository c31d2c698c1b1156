// All-to-all of Tsai 1997, Section 5.5.2. `bytes` is the length of one block, from one node to
// another. A node's own block is no message. Both functions throw std::invalid_argument above 4096
// nodes.
#pragma once

#include "reference/network.hpp"

namespace annelid::reference {

/// Algorithm A: N - 1 steps, in step i from rank r to rank r + i.
Schedule direct_all_to_all(const Network& net, std::uint64_t bytes);

/// Algorithm B: one message a step, N (N - 1) steps; the last message of a rank starts the next.
Schedule token_all_to_all(const Network& net, std::uint64_t bytes);

}  // namespace annelid::reference
