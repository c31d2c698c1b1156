// What memory must hold after an operation, whatever the algorithm.
#pragma once

#include <cstddef>
#include <span>

#include "reference/network.hpp"

namespace annelid::reference {

/// Broadcast: what `node`'s buffer holds afterwards, given the buffer of the root and its own one
/// before, both of the same length (else std::invalid_argument).
std::span<const std::byte> after_broadcast(const Network& size, Node root, Node node,
                                           std::span<const std::byte> root_before,
                                           std::span<const std::byte> node_before);

}  // namespace annelid::reference
