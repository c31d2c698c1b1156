// Networks, nodes and schedules, as plain values.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace annelid::reference {

/// (x, y, z); compares lexicographically, x first.
struct Node {
  int x = 0, y = 0, z = 0;
  friend auto operator<=>(const Node&, const Node&) = default;
};

/// The number of nodes in x, y and z, 1..256 each, and which dimensions are rings. A dimension of
/// one node is no ring. In an ideal network any two nodes are one hop apart, and have a channel of
/// their own. A packet makes all hops of one dimension before the next, in this order.
struct Network {
  int x = 1, y = 1, z = 1;
  std::array<bool, 3> ring{};
  bool ideal = false;
  std::array<std::size_t, 3> order{0, 1, 2};

  [[nodiscard]] int nodes() const { return x * y * z; }
  [[nodiscard]] std::array<int, 3> size() const { return {x, y, z}; }
  [[nodiscard]] constexpr bool has_rings() const { return ring[0] || ring[1] || ring[2]; }
  friend bool operator==(const Network&, const Network&) = default;
};

/// Returns the node's number, which is its rank in the group of all nodes: (z * size_y + y) *
/// size_x + x.
constexpr int index_of(const Network& net, Node n) { return (n.z * net.y + n.y) * net.x + n.x; }
constexpr Node node_at(const Network& net, int index) {
  return {index % net.x, index / net.x % net.y, index / (net.x * net.y)};
}
constexpr bool contains(const Network& net, Node n) {
  return n.x >= 0 && n.x < net.x && n.y >= 0 && n.y < net.y && n.z >= 0 && n.z < net.z;
}
/// "(3,1)", with z if the node is not in the plane z = 0.
inline std::string to_string(Node n) {
  const std::string z = n.z == 0 ? "" : "," + std::to_string(n.z);
  return "(" + std::to_string(n.x) + "," + std::to_string(n.y) + z + ")";
}
/// "8x8", "4x4x5", "16x16 torus", "8x8x4 with rings in xy", "8x8 ideal".
std::string to_string(const Network& net);

/// Throws std::invalid_argument unless all sizes are 1..256 and the root is a node.
void require(const Network& net, Node root);
/// Checks sizes without a limit, for schedules by ranks: a group's line of ranks may be longer than
/// a network's. Throws std::invalid_argument if a size is below 1.
void require_nodes(const Network& net);

/// Returns the distance in hops along a dimension of `size` nodes from `from` to `to`, negative in
/// the - direction. In a ring it takes the shorter direction, or the + direction if both are
/// equally long.
constexpr int steps_along(int size, bool ring, int from, int to) {
  const int plain = to - from;
  if (!ring) return plain;
  const int forward = (plain + size) % size;
  return 2 * forward <= size ? forward : forward - size;
}

/// Returns the hops from one node to another.
constexpr int distance(const Network& net, Node a, Node b) {
  if (net.ideal) return a == b ? 0 : 1;
  const auto hops = [](int n) { return n < 0 ? -n : n; };
  return hops(steps_along(net.x, net.ring[0], a.x, b.x)) +
         hops(steps_along(net.y, net.ring[1], a.y, b.y)) +
         hops(steps_along(net.z, net.ring[2], a.z, b.z));
}

struct Message {
  Node from, to;
  std::uint64_t bytes = 0;
  /// Strands are played independently of each other: a message waits for what earlier steps of its
  /// own strand bring its sender (docs/internals/algorithms/all-ports.md).
  int strand = 0;
  /// The strand of the receiver that waits for the message, if it is another one; else negative.
  int strand_there = -1;

  [[nodiscard]] int receiving_strand() const { return strand_there < 0 ? strand : strand_there; }
  friend auto operator<=>(const Message&, const Message&) = default;
};

/// The messages of one message-passing step. Their order does not matter.
using Step = std::vector<Message>;

/// steps[0] is step 1.
struct Schedule {
  std::vector<Step> steps;
  /// The numbers of steps after which a node waits until all of its strands have come so far.
  std::vector<std::size_t> joins = {};

  [[nodiscard]] std::uint64_t messages() const {
    std::uint64_t n = 0;
    for (const Step& s : steps) n += s.size();
    return n;
  }
};

/// Returns the first schedule, followed by the second in the steps after it.
Schedule followed_by(Schedule first, const Schedule& second);

/// The fewest steps of a broadcast when every holder sends `ports` messages a step:
/// ceil(log_(ports+1) N).
int fewest_steps(std::uint64_t nodes, int ports);

/// Whether a list contains a node.
[[nodiscard]] bool is_in(const std::vector<Node>& nodes, Node n);

/// The hops of all messages together.
std::uint64_t hops(const Network& net, const Schedule& schedule);

}  // namespace annelid::reference
