// The calls that `annelid check` makes of an algorithm on a network.
#pragma once

#include <vector>

#include "simulation/scenario/collective.hpp"

namespace annelid::studies {

/// How much is simulated.
struct CheckScope {
  bool quick = false;      ///< up to 64 nodes, short payloads, sampled roots
  std::uint64_t seed = 1;  ///< of sampled roots, contents and skews
};

/// The calls of an algorithm on a network that it supports, whatever they cost. Payloads are 0, 1,
/// 7, 8, 64, 1000 and 65536 bytes (of reductions whole elements; quick: without the last). Every
/// root up to 64 nodes (quick: 16), sampled ones beyond, each with one of the payloads up to 1000
/// bytes in turn; and each payload from two roots (quick, and beyond 256 nodes: from one). Of
/// reductions every operator and type in turn; every parameter of the algorithm; every third call
/// with processes that begin at different times. Of algorithms by rank all nodes take part, or
/// some, in any embedding; of those that keep the order of the ranks each payload once more, with
/// an operator that does not commute.
[[nodiscard]] std::vector<simulation::Collective> check_calls(const reference::Algorithm& algorithm,
                                                              const reference::Network& network,
                                                              const CheckScope& scope);

/// The calls of an algorithm by rank with these numbers of ranks, each from 1 to the network's
/// nodes. Each has every number of packets (0, the algorithm's own choice, 1, 2, 3, 7; of two trees
/// both places of an odd last process), every operator of the NIC, types in turn, and where the
/// order of the ranks is kept an operator that does not commute with every number of packets. Roots
/// are the first rank, the last or any, blocks 0 to 1,004 bytes, embeddings any; every third call
/// has processes that begin at different times. Quick, and beyond 256 ranks: two such calls, and
/// one with the operator that does not commute.
[[nodiscard]] std::vector<simulation::Collective> check_calls_of_ranks(
    const reference::Algorithm& algorithm, const reference::Network& network,
    const std::vector<int>& numbers, const CheckScope& scope);

}  // namespace annelid::studies
