// Lines of nodes along a dimension (0 x, 1 y, 2 z), and the pieces of a block that belong to them.
#pragma once

#include "reference/schedule/parts.hpp"

namespace annelid::reference {

inline constexpr std::array<int Node::*, 3> kCoordinates{&Node::x, &Node::y, &Node::z};

/// Returns the node's position in its line along dimension d.
inline int position(Node n, std::size_t d) { return n.*kCoordinates[d]; }
/// Returns the node at another position of the same line.
inline Node moved(Node n, std::size_t d, int position) {
  n.*kCoordinates[d] = position;
  return n;
}

/// Returns the dimensions of more than one node (docs/internals/algorithms/all-ports.md,
/// "Conventions").
inline std::vector<std::size_t> counting_dimensions(const Network& net) {
  std::vector<std::size_t> found;
  for (std::size_t d = 0; d < 3; ++d) {
    if (net.size()[d] > 1) found.push_back(d);
  }
  return found;
}
/// Whether the dimension is a ring in which the two neighbours of a node differ.
inline bool is_wide_ring(const Network& net, std::size_t d) {
  return net.ring[d] && net.size()[d] >= 3;
}

/// Returns all nodes of the lines along d through the given nodes.
inline std::vector<Node> all_along(const Network& net, const std::vector<Node>& nodes,
                                   std::size_t d) {
  std::vector<Node> all;
  for (Node n : nodes) {
    for (int p = 0; p < net.size()[d]; ++p) all.push_back(moved(n, d, p));
  }
  return all;
}

/// The parts [first, end) of all nodes that agree with n in the dimensions up to d. They are
/// adjacent, because places count x first.
struct Piece {
  std::uint64_t first, end;
};
inline Piece piece_of(const Network& net, Node n, std::size_t d) {
  std::uint64_t parts = 1;
  for (std::size_t e = d + 1; e < 3; ++e) {
    n = moved(n, e, 0);
    parts *= static_cast<std::uint64_t>(net.size()[e]);
  }
  const auto first = static_cast<std::uint64_t>(place_of(net, n));
  return {first, first + parts};
}

}  // namespace annelid::reference
