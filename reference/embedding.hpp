// The ranks of the nodes: docs/internals/algorithms/groups.md, "Ranks and embeddings".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/network.hpp"

namespace annelid::reference {

/// How ranks are mapped to nodes. The values are those of the call's PARAMETER_2.
enum class Embedding : std::uint8_t { kRows, kSnake, kQuadrants };
inline constexpr std::size_t kEmbeddings = 3;

/// "rows", "snake", "quadrants".
std::string_view name_of(Embedding embedding);

/// The processes of an operation by rank.
struct Ranks {
  Embedding embedding = Embedding::kRows;
  int count = 0;  ///< the number of nodes, the first ones of the embedding; 0: all nodes
  friend bool operator==(const Ranks&, const Ranks&) = default;
};

/// Returns the number of ranks. Throws std::invalid_argument if the network has fewer nodes.
int rank_count(const Network& net, const Ranks& ranks);

/// Returns the rank of a node, or nothing if the node takes no part.
std::optional<int> rank_at(const Network& net, const Ranks& ranks, Node node);

/// Returns the rank of a node. Throws std::invalid_argument if the node takes no part.
int rank_of(const Network& net, const Ranks& ranks, Node node);

/// Returns the nodes of ranks 0, 1, ...
std::vector<Node> members(const Network& net, const Ranks& ranks);

}  // namespace annelid::reference
