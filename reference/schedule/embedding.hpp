// The ranks of the nodes: docs/internals/algorithms/groups.md, "Ranks and embeddings".
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// How ranks are mapped to nodes. The values are those of the call's PARAMETER_2.
enum class Embedding : std::uint8_t { kRows, kSnake, kQuadrants };
inline constexpr std::size_t kEmbeddings = 3;

/// "rows", "snake", "quadrants".
std::string_view name_of(Embedding embedding);

/// A group that is listed: different nodes, by rank.
class NodeList {
 public:
  /// Throws std::invalid_argument if the list is empty, or names a node twice.
  explicit NodeList(std::vector<Node> by_rank);

  [[nodiscard]] const std::vector<Node>& nodes() const { return by_rank_; }
  [[nodiscard]] int size() const { return static_cast<int>(by_rank_.size()); }
  /// Returns the rank of a node, or nothing if it is not listed.
  [[nodiscard]] std::optional<int> rank_at(Node node) const;
  friend bool operator==(const NodeList& a, const NodeList& b) { return a.by_rank_ == b.by_rank_; }

 private:
  std::vector<Node> by_rank_;
  std::vector<int> by_node_;  ///< ranks, in ascending order of their nodes
};

/// The processes of an operation by rank.
struct Ranks {
  Embedding embedding = Embedding::kRows;
  int count = 0;  ///< the number of nodes, the first ones of the embedding; 0: all nodes
  /// If not null, exactly these nodes take part, whatever `embedding` and `count` say.
  std::shared_ptr<const NodeList> listed = nullptr;
  friend bool operator==(const Ranks& a, const Ranks& b);
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
