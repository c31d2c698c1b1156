// EDN broadcast on any mesh or torus, as a product of small blocks with schedules of the fewest
// steps: docs/internals/algorithms/edn-any-mesh.md.
#pragma once

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// True for every network.
bool edn_optimal_supports(const Network& net);

/// True for meshes, and for most networks with rings. It is false for some networks whose parts
/// have two sizes and whose coarser mesh is a block with messages over half a ring. A result of
/// false does not prove contention.
bool edn_optimal_contention_free(const Network& net);

/// Returns the steps of the broadcast from the top of the mesh. From other sources the broadcast
/// takes at most one step more.
int edn_optimal_steps(const Network& net);

/// Returns the top of the mesh with its levels mirrored for `root`. A broadcast from this top needs
/// no relay.
Node edn_optimal_top(const Network& net, Node root);

/// Throws std::invalid_argument if the network is not supported or the root is outside of it.
Schedule edn_optimal_broadcast(const Network& net, Node root, std::uint64_t bytes);

}  // namespace annelid::reference
