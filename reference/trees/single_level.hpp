// Broadcast by a single level of dominating nodes (SLD): Tsai 1997, Section 3.2;
// docs/internals/algorithms/trees.md.
#pragma once

#include <vector>

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// True for meshes of 4m x 4n nodes.
bool single_level_supports(const Network& mesh);

/// The N/4 dominating nodes by ascending (x, y): pattern B in every 4x4 block (Figure 3.2(d)).
std::vector<Node> single_level_dominating(const Network& mesh);

/// The broadcast takes ceil(log2 N) - 1 steps from every root, without stepwise contention. Throws
/// std::invalid_argument for other sizes and for a root outside of the mesh.
Schedule single_level_broadcast(const Network& mesh, Node root, std::uint64_t bytes);

}  // namespace annelid::reference
