// The calls that `annelid check` makes to test an algorithm on a network.
#pragma once

#include <vector>

#include "simulation/scenario/collective.hpp"

namespace annelid::studies {

/// How much `annelid check` simulates.
struct CheckScope {
  bool quick = false;      ///< up to 64 nodes, short payloads, sampled roots
  std::uint64_t seed = 1;  ///< of sampled roots, contents and skews
  bool prepared = false;   ///< calls are prepared, and started several times
};

/// Returns the calls of an algorithm on a network that it supports, whatever they cost. Payloads
/// are 0, 1, 7, 8, 64, 1000 and 65536 bytes (for reductions whole elements; quick: without the
/// last). On up to 64 nodes (quick: 16) every root is used, and on more nodes sampled roots, each
/// with one of the payloads up to 1000 bytes in turn. Each payload is also sent from two roots
/// (quick, and beyond 256 nodes: from one). Reductions use every operator and type in turn. Every
/// parameter of the algorithm is used. In every third call the processes begin at different times.
/// For algorithms by rank, all nodes take part, or some, in any embedding; every fourth call is
/// made by a listed group of any nodes in any order. Every third call of an algorithm that
/// takes blocks of different lengths has random ones. Algorithms that keep the order of the ranks
/// run each payload once more, with an operator that does not commute. Prepared calls are in no
/// mode of CCL.
[[nodiscard]] std::vector<simulation::Collective> check_calls(const reference::Algorithm& algorithm,
                                                              const reference::Network& network,
                                                              const CheckScope& scope);

/// Returns the calls of an algorithm by rank with these numbers of ranks, each from 1 to the
/// network's nodes. Each number of ranks has calls with every number of packets (0, the algorithm's
/// own choice, 1, 2, 3, 7; for two trees both places of an odd last process), every operator of the
/// NIC, and types in turn. If the algorithm keeps the order of the ranks, there are also calls with
/// an operator that does not commute, with every number of packets. Roots are the first rank, the
/// last or any, blocks have 0 to 1,004 bytes, and embeddings vary; every fourth call is made by a
/// listed group of so many nodes. In every third call the
/// processes begin at different times. Quick, and beyond 256 ranks: two such calls, and one with
/// the operator that does not commute.
[[nodiscard]] std::vector<simulation::Collective> check_calls_of_ranks(
    const reference::Algorithm& algorithm, const reference::Network& network,
    const std::vector<int>& numbers, const CheckScope& scope);

}  // namespace annelid::studies
