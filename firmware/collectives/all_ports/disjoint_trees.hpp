// Trees from one root that have no channel in common, as a process finds its place in them:
// docs/internals/algorithms/all-ports.md, "Disjoint trees".
#pragma once

#include "firmware/collectives/all_ports/counted_dimensions.hpp"

namespace annelid::firmware::disjoint_trees {

struct Neighbours {
  static constexpr std::uint32_t kMost = 3;
  std::uint32_t count = 0;
  Address node[kMost];
};

/// All trees of a network and a root.
class Trees {
 public:
  static constexpr std::uint32_t kMost = 4, kMostChildren = Neighbours::kMost;

  /// Whether the network has such trees: one or two dimensions count, or it has one node.
  static bool exist(const Topology& network) { return CountedDimensions(network).count <= 2; }
  /// They must exist.
  Trees(const Topology& network, Address root);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// Return a node's distance from the root along a tree, and the greatest one.
  [[nodiscard]] std::uint32_t depth(std::uint32_t tree, Address node) const;
  [[nodiscard]] std::uint32_t height(std::uint32_t tree) const;
  /// Returns the parent of a node that is not the root.
  [[nodiscard]] Address parent(std::uint32_t tree, Address node) const;
  /// Returns the children of a node, by ascending (z, y, x).
  [[nodiscard]] Neighbours children(std::uint32_t tree, Address node) const;

 private:
  /// A node's distances from the root along the root's ring and across it, in a tree's directions.
  struct Place {
    std::uint32_t along, across;
  };
  [[nodiscard]] Place place(std::uint32_t tree, Address node) const;

  CountedDimensions dims_;
  Address root_;
  bool rings_;  // all dimensions that count are wide rings
  std::uint32_t count_;
};

}  // namespace annelid::firmware::disjoint_trees
