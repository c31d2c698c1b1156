// EDN broadcast on any mesh or torus, as a product of small blocks with schedules of the fewest
// steps: docs/internals/algorithms/edn-any-mesh.md.
#pragma once

#include "reference/network.hpp"

namespace annelid::reference {

/// Every network.
bool edn_optimal_supports(const Network& net);

/// Meshes, and networks with rings but for some whose parts have two sizes and whose coarser mesh
/// is a block with messages over half a ring. False is no proof of contention.
bool edn_optimal_contention_free(const Network& net);

/// Steps of the broadcast from the top of the mesh; from other sources at most one more.
int edn_optimal_steps(const Network& net);

/// The source that is nearest to `root`, in the sense of the mirrored levels, and needs no relay.
Node edn_optimal_top(const Network& net, Node root);

/// Throws std::invalid_argument for networks that are not supported and roots outside of them.
Schedule edn_optimal_broadcast(const Network& net, Node root, std::uint64_t bytes);

}  // namespace annelid::reference
