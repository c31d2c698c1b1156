// The calls that `annelid check` makes of an algorithm on a network.
#pragma once

#include <vector>

#include "cli/collective.hpp"

namespace annelid::cli {

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
[[nodiscard]] std::vector<Collective> check_calls(const reference::Algorithm& algorithm,
                                                  const reference::Network& network,
                                                  const CheckScope& scope);

}  // namespace annelid::cli
