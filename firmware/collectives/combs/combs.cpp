#include "firmware/collectives/combs/combs.hpp"

#include "firmware/collectives/players/ranked.hpp"

namespace annelid::firmware::combs {
namespace {

/// The square root, rounded down; at least 1.
std::uint32_t root_of(std::uint32_t square) {
  std::uint32_t root = 1;
  while ((root + 1) * (root + 1) <= square) ++root;
  return root;
}

}  // namespace

Combs::Combs(const Call& call, const Topology& network) : dims_(network), edges_(0, 1) {
  const std::uint32_t nodes = network.nodes(), count = dims_.count;
  std::uint32_t trees = 0, edges = 0, spine = 0;
  for (std::uint32_t d = 0; d < count; ++d) {
    const std::uint32_t size = dims_.size[d], lines = nodes / size;
    trees += lines;
    edges += nodes - lines;
    steps_ += 2 * size;
    if (size > spine) spine = size;
    own_[d] = static_cast<std::uint8_t>(dims_.coordinate(network.self(), d));
  }
  edges_ = PartSizes(call.bytes(), edges);
  // With as many packets as a packet has words, headers and offers take about as long as the last
  // packet needs to reach all nodes.
  packets_ = call.parameter(1);
  if (packets_ == 0) packets_ = root_of(edges_.words * (spine - 1));
  // More steps from a packet to the next one where a channel carries more trees: each tree uses
  // both channels of N - 1 edges.
  pace_ = root_of((nodes - 1) * trees / edges * 4 / 3);
  steps_ += pace_ * packets_;
  for (std::uint32_t i = 0; i < 2 * count; ++i) {
    const bool up = i >= count;
    const std::uint32_t d = up ? i - count : count - 1 - i, at = own_[d] + (up ? 1U : ~0U);
    if (at >= dims_.size[d]) continue;
    channel_[neighbours_] = {static_cast<std::uint16_t>(d), up};
    neighbour_[neighbours_++] = dims_.with(network.self(), d, at);
  }
}

Combs::Relation Combs::relation(const Tree& tree, std::uint32_t i) const {
  const auto [dimension, up] = channel_[i];
  // In the dimensions before, this node and the neighbour are where the tree turns.
  for (std::uint32_t d = tree.first; d != dimension;) {
    if (own_[d] != tree.root[d]) return Relation::kNone;
    if (++d == dims_.count) d = 0;
  }
  const std::uint32_t own = own_[dimension], root = tree.root[dimension];
  return (up ? own < root : own > root) ? Relation::kParent : Relation::kChild;
}

Relatives Combs::relatives(const Tree& tree) const {
  Relatives relatives{0, 0};
  for (std::uint32_t i = 0; i < neighbours_; ++i) {
    const Relation r = relation(tree, i);
    if (r == Relation::kChild) relatives.children |= 1U << i;
    if (r == Relation::kParent) relatives.parent |= 1U << i;
  }
  return relatives;
}

inline void Combs::next(Place& place) const {
  Tree& tree = place.tree;
  const bool begins = is_over(place);
  const std::uint32_t fixed = spine(tree);
  tree.part += dims_.size[fixed] - 1U;
  ++tree.index;
  for (std::uint32_t d = 0; d < dims_.count && d < CountedDimensions::kMost; ++d) {
    if (d == fixed || begins) continue;
    if (++tree.root[d] < dims_.size[d]) return;
    tree.root[d] = 0;
  }
  tree.root[fixed] = 0;
  if (begins || ++tree.first == dims_.count) {
    tree = {};
    ++place.step;
  }
  const std::uint32_t d = spine(tree);
  tree.root[d] = static_cast<std::uint8_t>(dims_.size[d] / 2U);
}

/// Whether there is a message in a place.
inline bool Combs::find(const Place& place, std::uint32_t i, bool comes, Packet& packet) const {
  const Tree& tree = place.tree;
  const Relation to = relation(tree, i);
  if (to == Relation::kNone) return false;
  std::uint32_t height = 0, depth = 0;
  for (std::uint32_t d = 0; d < dims_.count; ++d) {
    const std::uint32_t own = own_[d], root = tree.root[d], above = dims_.size[d] - 1U - root;
    height += root < above ? above : root;
    depth += own < root ? root - own : own - root;
  }
  packet.up = (to == Relation::kParent) != comes;
  // Trees begin in different steps, spread like multiples of the golden ratio.
  constexpr std::uint32_t kGoldenRatio = 0x9E3779B9;
  const auto later =
      static_cast<std::uint32_t>(std::uint64_t{tree.index * kGoldenRatio} * pace_ >> 32);
  const std::uint32_t from = (packet.up ? height - depth : height + depth) - (comes ? 1U : 0U);
  const std::uint32_t steps = place.step - from - later, number = steps / pace_;
  if (number >= packets_ || number * pace_ != steps) return false;  // also before the first step
  const Buffer piece = edges_.run(0, tree.part, tree.part + dims_.size[spine(tree)] - 1U);
  packet.number = number;
  packet.bytes = PartSizes(piece.bytes, packets_).run(piece.offset, number, number + 1);
  return packet.bytes.bytes != 0;
}

void Combs::next(Place& place, std::uint32_t i, bool comes, Packet& packet) const {
  do {
    next(place);
  } while (!is_over(place) && !find(place, i, comes, packet));
}

}  // namespace annelid::firmware::combs
