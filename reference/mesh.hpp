// Meshes, nodes and schedules, as plain values.
#pragma once

#include <compare>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace annelid::reference {

/// Nodes in x and y, 1..256 each.
struct MeshSize {
  int x = 0, y = 0;
  [[nodiscard]] int nodes() const { return x * y; }
  friend bool operator==(const MeshSize&, const MeshSize&) = default;
};

/// (x, y); compares lexicographically, x first.
struct Node {
  int x = 0, y = 0;
  friend auto operator<=>(const Node&, const Node&) = default;
};

/// Row-major number, y * size.x + x.
constexpr int index_of(MeshSize size, Node n) { return n.y * size.x + n.x; }
constexpr Node node_at(MeshSize size, int index) { return {index % size.x, index / size.x}; }
constexpr bool contains(MeshSize size, Node n) {
  return n.x >= 0 && n.x < size.x && n.y >= 0 && n.y < size.y;
}
inline std::string to_string(Node n) {
  return "(" + std::to_string(n.x) + "," + std::to_string(n.y) + ")";
}
/// Throws std::invalid_argument unless both sizes are 1..256 and the root is a node.
inline void require(MeshSize size, Node root) {
  if (size.x < 1 || size.x > 256 || size.y < 1 || size.y > 256) {
    throw std::invalid_argument("mesh " + std::to_string(size.x) + "x" + std::to_string(size.y) +
                                ": sizes are 1 to 256");
  }
  if (!contains(size, root)) {
    throw std::invalid_argument("root " + to_string(root) + " is outside the mesh");
  }
}

/// Hops of dimension-order routing.
constexpr int distance(Node a, Node b) {
  return (a.x < b.x ? b.x - a.x : a.x - b.x) + (a.y < b.y ? b.y - a.y : a.y - b.y);
}

struct Message {
  Node from, to;
  std::uint64_t bytes = 0;
  friend auto operator<=>(const Message&, const Message&) = default;
};

/// The messages of one message-passing step, in no order that matters.
using Step = std::vector<Message>;

/// steps[0] is step 1.
struct Schedule {
  std::vector<Step> steps;

  [[nodiscard]] std::uint64_t messages() const {
    std::uint64_t n = 0;
    for (const Step& s : steps) n += s.size();
    return n;
  }
  [[nodiscard]] std::uint64_t hops() const {
    std::uint64_t n = 0;
    for (const Step& s : steps) {
      for (const Message& m : s) n += static_cast<std::uint64_t>(distance(m.from, m.to));
    }
    return n;
  }
};

}  // namespace annelid::reference
