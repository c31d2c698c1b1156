// Which node has which rank: docs/algorithms.md, "Groups of ranks".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/network.hpp"

namespace annelid::reference {

/// How ranks are laid on the nodes; the numbers are those of the call's PARAMETER_2.
enum class Embedding : std::uint8_t { kRows, kSnake, kQuadrants };
inline constexpr std::size_t kEmbeddings = 3;

/// "rows", "snake", "quadrants".
std::string_view name_of(Embedding embedding);

/// The processes of an operation by rank.
struct Ranks {
  Embedding embedding = Embedding::kRows;
  int count = 0;  ///< the first so many of the embedding; 0: all nodes
  friend bool operator==(const Ranks&, const Ranks&) = default;
};

/// The nodes of ranks 0, 1, ... Throws std::invalid_argument if there are fewer nodes than ranks.
std::vector<Node> members(const Network& net, const Ranks& ranks);

/// Of a node; throws std::invalid_argument if none of the ranks is there.
int rank_of(const Network& net, const Ranks& ranks, Node node);

}  // namespace annelid::reference
