// Broadcasts that double the holders dimension by dimension: docs/algorithms.md, "U-torus and
// cyclic doubling" and "Dimensional broadcast"; Tsai, Sections 4.4.2, 3.3.5 and 5.3.
//
// A phase per dimension, x first: the lines along it, of the nodes that agree with the root in all
// later dimensions, are halved from the node that agrees with the root in this one too. So a node
// receives in the last dimension in which it differs from the root, and sends in that line and in
// its own lines along all later dimensions.
#include "firmware/collectives/line_doubling.hpp"

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

/// The segment of a line along `dimension` that holds the node, who has the message in it, and the
/// steps done. Places are coordinates, or in a ring distances from the root's.
struct Walk {
  int dimension, first, length, holder, step;

  explicit Walk(const TreePlan& plan)
      : dimension(static_cast<int>(plan.state[3] & 0xFF)),
        first(static_cast<int>(plan.state[0])),
        length(static_cast<int>(plan.state[1])),
        holder(static_cast<int>(plan.state[2])),
        step(static_cast<int>(plan.state[3] >> 8)) {}
  template <Halved what>
  [[gnu::noinline]] static Walk begin(const Frame& frame, int dimension) {
    Walk walk;
    walk.dimension = dimension;
    walk.first = 0;
    walk.length = size_along(frame, dimension);
    walk.holder = what == Halved::kRing ? 0 : coordinate(frame.root(), dimension);
    walk.step = steps_before(frame, dimension);
    return walk;
  }
  void keep(TreePlan& plan) const {
    plan.state = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(length),
                  static_cast<std::uint32_t>(holder),
                  static_cast<std::uint32_t>(step) << 8 | static_cast<std::uint32_t>(dimension)};
  }

 private:
  Walk() {}
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

/// Halves the segment until the node receives or sends: the other's place, -1 if it is alone before
/// that. `own` is the holder afterwards.
template <Halved what>
[[gnu::noinline]] int next_peer(Walk& walk, int own) {
  while (walk.length > 1) {
    ++walk.step;
    const int lower = what == Halved::kRing ? walk.length / 2 : (walk.length + 1) / 2;
    const int upper = walk.first + lower;
    const int from = walk.holder, to = from < upper ? upper : upper - 1;
    if ((own < upper) != (from < upper)) walk.holder = to;
    if (own < upper) {
      walk.length = lower;
    } else {
      walk.first = upper;
      walk.length -= lower;
    }
    if (own == from) return to;
    if (own == to) return from;
  }
  return -1;
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
    plan.receive_step = walk.step;
  }
  walk.keep(plan);
}

template <Halved what>
bool next_step(const Frame& frame, Address node, TreePlan& plan) {
  plan.clear();
  for (Walk walk(plan);; walk = Walk::begin<what>(frame, walk.dimension + 1)) {
    const int peer = next_peer<what>(walk, place_of<what>(frame, node, walk.dimension));
    if (peer >= 0) {
      plan.step = walk.step;
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
  int nodes = walk.length;
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
