// What memory must hold after an operation, whatever the algorithm.
#pragma once

#include <cstddef>
#include <vector>

#include "reference/mesh.hpp"

namespace annelid::reference {

/// Broadcast: the root's buffer, at every node.
/// `buffers`: what each node held before, by index_of(); all of the same length.
std::vector<std::vector<std::byte>> broadcast(MeshSize size, Node root,
                                              const std::vector<std::vector<std::byte>>& buffers);

}  // namespace annelid::reference
