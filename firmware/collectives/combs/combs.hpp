// The comb trees of a mesh, from the view of one node: which messages of them it sends and
// receives, and in which order. docs/internals/algorithms/combs.md.
#pragma once

#include "firmware/collectives/all_ports/counted_dimensions.hpp"
#include "firmware/collectives/collective.hpp"
#include "firmware/collectives/players/streams.hpp"

namespace annelid::firmware::combs {

/// One tree. Every node moves along the dimensions in the order first, first + 1, ... modulo their
/// number, in each of them to the root's coordinate. The last one is the spine's.
struct Tree {
  std::uint32_t index = 0;  ///< among all trees
  std::uint32_t part = 0;   ///< the first of its parts of the block
  std::uint32_t first = 0;
  std::uint8_t root[CountedDimensions::kMost + 1] = {};
};

/// A place in the order of all messages: a step, from 0, and a tree.
struct Place {
  std::uint32_t step = 0xFFFFFFFF;  ///< before the first place
  Tree tree;
  [[nodiscard]] bool is_at_most(std::uint32_t other_step, std::uint32_t other_tree) const {
    return step != other_step ? step < other_step : tree.index <= other_tree;
  }
};

/// A packet of a tree, on the way up to the root or down from it.
struct Packet {
  std::uint32_t number;
  bool up;
  Buffer bytes;  ///< as an offset in the block
};

/// The neighbours that are a node's children and its parent in a tree, as bits.
struct Relatives {
  std::uint32_t children, parent;
};

class Combs {
 public:
  static constexpr std::uint32_t kMostNeighbours = 2 * CountedDimensions::kMost;

  /// The network has two nodes or more.
  Combs(const Call& call, const Topology& network);

  /// The neighbours, by ascending (z, y, x).
  [[nodiscard]] std::uint32_t neighbours() const { return neighbours_; }
  [[nodiscard]] Address neighbour(std::uint32_t i) const { return neighbour_[i]; }
  [[nodiscard]] Relatives relatives(const Tree& tree) const;

  /// Goes on to the next place with a message to a neighbour, or (`comes`) from it, or behind the
  /// last one.
  void next(Place& place, std::uint32_t i, bool comes, Packet& packet) const;
  [[nodiscard]] bool is_over(const Place& place) const { return place.step >= steps_; }

 private:
  enum class Relation : std::uint8_t { kNone, kParent, kChild };
  struct Channel {
    std::uint16_t dimension;
    bool up;
  };
  [[nodiscard]] Relation relation(const Tree& tree, std::uint32_t i) const;
  [[nodiscard]] std::uint32_t spine(const Tree& tree) const {
    return (tree.first == 0 ? dims_.count : tree.first) - 1U;
  }
  void next(Place& place) const;
  bool find(const Place& place, std::uint32_t i, bool comes, Packet& packet) const;

  CountedDimensions dims_;
  PartSizes edges_;  // the block's parts: one for each edge of the network
  std::uint32_t packets_ = 1, pace_ = 1, steps_ = 0, neighbours_ = 0;
  std::uint8_t own_[CountedDimensions::kMost];
  Channel channel_[kMostNeighbours];
  Address neighbour_[kMostNeighbours];
};

}  // namespace annelid::firmware::combs
