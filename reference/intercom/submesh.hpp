// Which groups are rectangular submeshes: Barnett and others 1994, Section 9.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "reference/schedule/network.hpp"

namespace annelid::reference::intercom {

/// A box of nodes, and the order of its ranks.
struct Submesh {
  Node corner;              ///< the smallest coordinates
  std::array<int, 3> size;  ///< nodes in x, y and z
  /// The dimensions (0 x, 1 y, 2 z) of two nodes or more, nearest first: the ranks 0, 1, ... go
  /// along the first of them. Rows first is {0, 1}, columns first is {1, 0}.
  std::vector<std::size_t> order;
  friend bool operator==(const Submesh&, const Submesh&) = default;
};

/// Returns the submesh if the nodes are those of a box, each once, and their ranks go along one
/// dimension after the other in ascending coordinates. Rings do not matter: a box that crosses the
/// edge of a torus is none. An empty group is none either.
std::optional<Submesh> submesh_of(const std::vector<Node>& nodes);

/// Returns the submesh's nodes by rank.
std::vector<Node> nodes_of(const Submesh& submesh);

}  // namespace annelid::reference::intercom
