// All-reduce along comb trees, each with a piece of the vector that is combined towards the tree's
// root and sent back down the tree, in packets: docs/internals/algorithms/combs.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/combs/comb_trees.hpp"
#include "reference/schedule/arithmetic.hpp"
#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// The bytes [begin, end) of the vector.
struct CombPiece {
  std::uint64_t begin = 0, end = 0;
  friend bool operator==(const CombPiece&, const CombPiece&) = default;

  [[nodiscard]] std::uint64_t bytes() const { return end - begin; }
  [[nodiscard]] std::uint64_t words() const { return (bytes() + 7) / 8; }
};

/// Returns the piece of each tree of a vector of so many bytes: whole words of eight bytes, but for
/// the vector's end. They lie one behind the other, in the order of the trees.
std::vector<CombPiece> comb_pieces(const std::vector<CombTree>& trees, std::uint64_t bytes);

/// Returns k, into how many packets the pieces are cut if they have as many words; `parameter` is
/// PARAMETER_1, and 0 leaves k open.
std::uint64_t comb_packets(const std::vector<CombPiece>& pieces, std::uint32_t parameter);

/// Returns the messages of all packets. A message's strand is twice the number of its tree, and one
/// more for results, which wait for what comes to the root. Throws std::invalid_argument as
/// comb_trees() does, and for schedules of more than DataFlow::kMostMessages messages.
Schedule combs_all_reduce(const Network& net, std::uint64_t bytes, std::uint32_t parameter);

/// Returns the result, which is the same at all nodes. `blocks` holds one vector for each node.
std::vector<std::byte> combs_result(const Network& net,
                                    const std::vector<std::vector<std::byte>>& blocks, Operator op,
                                    ElementType type);

}  // namespace annelid::reference
