// Broadcasts that double the holders dimension by dimension: docs/internals/algorithms/trees.md,
// "U-torus and cyclic doubling" and "Dimensional broadcast"; Tsai, Sections 4.4.2, 3.3.5 and 5.3.
//
// A phase per dimension, x first: the lines along it, of the nodes that agree with the root in all
// later dimensions, are halved from the node that agrees with the root in this one too. So a node
// receives in the last dimension in which it differs from the root, and sends in that line and in
// its own lines along all later dimensions.
#include "firmware/collectives/trees/line_doubling.hpp"

#include "firmware/collectives/trees/halving.hpp"

namespace annelid::firmware {
namespace {

/// What is halved: a line, at its place, or a ring, counted from the holder.
enum class Halved { kLine, kRing };

int coordinate(Address a, int dimension) {
  return static_cast<int>(a.word() >> 8 * dimension & 0xFF);
}
Address with_coordinate(Address a, int dimension, int value) {
  const std::uint32_t others = a.word() & ~(std::uint32_t{0xFF} << 8 * dimension);
  return Address::from_word(others | static_cast<std::uint32_t>(value) << 8 * dimension);
}
int size_along(const Frame& frame, int dimension) {
  const Size size = frame.size();
  return dimension == 0 ? size.x : dimension == 1 ? size.y : size.z;
}
int log2_rounded_up(int n) {
  int steps = 0;
  while (1 << steps < n) ++steps;
  return steps;
}
int steps_before(const Frame& frame, int dimension) {
  int steps = 0;
  for (int d = 0; d < dimension; ++d) steps += log2_rounded_up(size_along(frame, d));
  return steps;
}

/// The halving of the line along `dimension` that holds the node. Places are coordinates, or in a
/// ring distances from the root's.
struct Walk {
  int dimension;
  Halving line;  ///< with the steps of the dimensions before it

  template <Halved what>
  [[gnu::noinline]] static Walk begin(const Frame& frame, int dimension) {
    const int holder = what == Halved::kRing ? 0 : coordinate(frame.root(), dimension);
    Walk walk{dimension, Halving::of_line(static_cast<std::uint32_t>(size_along(frame, dimension)),
                                          static_cast<std::uint32_t>(holder))};
    walk.line.step = static_cast<std::uint32_t>(steps_before(frame, dimension));
    return walk;
  }
  static Walk kept(const TreePlan& plan) {
    Walk walk{static_cast<int>(plan.state[3] & 0xFF), Halving::from_words(plan.state)};
    walk.line.step >>= 8;
    return walk;
  }
  void keep(TreePlan& plan) const {
    plan.state = line.words();
    plan.state[3] = line.step << 8 | static_cast<std::uint32_t>(dimension);
  }
};

template <Halved what>
int place_of(const Frame& frame, Address node, int dimension) {
  const int at = coordinate(node, dimension);
  if (what == Halved::kLine) return at;
  const int place = at - coordinate(frame.root(), dimension);
  return place >= 0 ? place : place + size_along(frame, dimension);
}
template <Halved what>
Address node_at(const Frame& frame, Address node, int dimension, int place) {
  if (what == Halved::kRing) {
    place += coordinate(frame.root(), dimension);
    const int size = size_along(frame, dimension);
    if (place >= size) place -= size;
  }
  return with_coordinate(node, dimension, place);
}

/// Halves the line until the node receives or sends: the other's place, -1 if it is alone before
/// that.
template <Halved what>
int next_peer(Walk& walk, int own) {
  constexpr Halving::Longer kLonger = what == Halved::kRing ? Halving::kUpper : Halving::kLower;
  const auto place = static_cast<std::uint32_t>(own);
  Halving::Message message;
  if (!walk.line.next(place, message, kLonger)) return -1;
  return static_cast<int>(message.from == place ? message.to : message.from);
}

/// The last dimension in which the node differs from the root; -1 for the root.
int last_difference(const Frame& frame, Address node) {
  const std::uint32_t differs = node.word() ^ frame.root().word();
  return differs >> 16 != 0 ? 2 : differs >> 8 != 0 ? 1 : differs != 0 ? 0 : -1;
}

int steps(const Frame& frame) { return steps_before(frame, 3); }

template <Halved what>
void find_parent(const Frame& frame, Address node, TreePlan& plan) {
  const int dimension = last_difference(frame, node);
  Walk walk = Walk::begin<what>(frame, dimension < 0 ? 0 : dimension);
  plan.receive_step = 0;
  if (dimension >= 0) {
    const int parent = next_peer<what>(walk, place_of<what>(frame, node, dimension));
    plan.parent = node_at<what>(frame, node, dimension, parent);
    plan.receive_step = static_cast<int>(walk.line.step);
  }
  walk.keep(plan);
}

template <Halved what>
bool next_step(const Frame& frame, Address node, TreePlan& plan) {
  plan.clear();
  for (Walk walk = Walk::kept(plan);; walk = Walk::begin<what>(frame, walk.dimension + 1)) {
    const int peer = next_peer<what>(walk, place_of<what>(frame, node, walk.dimension));
    if (peer >= 0) {
      plan.step = static_cast<int>(walk.line.step);
      plan.add(node_at<what>(frame, node, walk.dimension, peer));
      walk.keep(plan);
      return true;
    }
    if (walk.dimension == 2) return false;
  }
}

/// The node's segment when it has the message, and all that is beyond it.
template <Halved what>
std::uint32_t subtree(const Frame& frame, Address node) {
  const int dimension = last_difference(frame, node);
  if (dimension < 0) return frame.nodes();
  Walk walk = Walk::begin<what>(frame, dimension);
  next_peer<what>(walk, place_of<what>(frame, node, dimension));
  int nodes = static_cast<int>(walk.line.length);
  for (int d = dimension + 1; d < 3; ++d) nodes *= size_along(frame, d);
  return static_cast<std::uint32_t>(nodes);
}

bool fits_network(Frame& frame) { return frame.is_network(); }
bool fits_torus(Frame& frame) {
  for (int d = 0; d < 3; ++d) {
    if (size_along(frame, d) > 1 && !frame.is_ring(d)) return false;
  }
  return frame.is_network();
}

}  // namespace

namespace dimensional {
const TreeRule kRule{fits_network, steps, find_parent<Halved::kLine>, next_step<Halved::kLine>,
                     subtree<Halved::kLine>};
}
namespace cyclic_doubling {
const TreeRule kRule{fits_network, steps, find_parent<Halved::kRing>, next_step<Halved::kRing>,
                     subtree<Halved::kRing>};
}
namespace u_torus {
const TreeRule kRule{fits_torus, steps, find_parent<Halved::kRing>, next_step<Halved::kRing>,
                     subtree<Halved::kRing>};
}

}  // namespace annelid::firmware
