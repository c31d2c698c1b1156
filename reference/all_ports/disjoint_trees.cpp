#include "reference/all_ports/disjoint_trees.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "reference/schedule/data_flow.hpp"
#include "reference/schedule/index.hpp"
#include "reference/schedule/lines.hpp"
#include "reference/trees/combined_upwards.hpp"

namespace annelid::reference {
namespace {

constexpr int kNoParent = -1;

/// A coordinate's neighbour on the way to another, and the one beside that.
int towards(int from, int to) { return from > to ? from - 1 : from + 1; }
int beside(int coordinate, int size) {
  return coordinate == size - 1 ? coordinate - 1 : coordinate + 1;
}

struct Coordinates {
  int u = 0, v = 0;
};

/// The table of two wide rings; i and j are the distances from the root, both upwards, not both 0.
Coordinates parent_on_torus(int tree, int i, int j) {
  const bool row = j == 0, column = i == 0;
  switch (tree) {
    case 0:
      return row || column ? Coordinates{i - 1, j} : Coordinates{i, j - 1};
    case 1:
      return row || column ? Coordinates{i, j - 1} : Coordinates{i + 1, j};
    case 2:
      return row || column ? Coordinates{i + 1, j} : Coordinates{i, j + 1};
    default:
      return row || column ? Coordinates{i, j + 1} : Coordinates{i - 1, j};
  }
}

/// The table of two dimensions that are not both wide rings, for (u, v) other than the root (a, b).
Coordinates parent_on_mesh(int tree, Coordinates node, Coordinates root, Coordinates size) {
  const auto [u, v] = node;
  const auto [a, b] = root;
  if (tree == 0) {
    if (v == b) return {towards(u, a), b};
    if (u == a) return {beside(a, size.u), v};
    return {u, towards(v, b)};
  }
  if (v == b) return {u, beside(b, size.v)};
  if (u == a) return {a, towards(v, b)};
  return {towards(u, a), v};
}

int tree_count(const Network& net) {
  const auto dimensions = counting_dimensions(net);
  if (dimensions.empty()) return 1;
  const bool rings =
      std::ranges::all_of(dimensions, [&](std::size_t d) { return is_wide_ring(net, d); });
  if (dimensions.size() == 1) return rings ? 2 : 1;
  return rings ? 4 : 2;
}

Node parent_of(const Network& net, Node root, int tree, Node n) {
  const auto dimensions = counting_dimensions(net);
  const std::size_t du = dimensions[0];
  const int size_u = net.size()[du], a = position(root, du), u = position(n, du);
  if (dimensions.size() == 1) {
    if (!is_wide_ring(net, du)) return moved(n, du, towards(u, a));
    return moved(n, du, (u + (tree == 0 ? size_u - 1 : 1)) % size_u);
  }
  const std::size_t dv = dimensions[1];
  const int size_v = net.size()[dv], b = position(root, dv), v = position(n, dv);
  if (is_wide_ring(net, du) && is_wide_ring(net, dv)) {
    const Coordinates p =
        parent_on_torus(tree, (u - a + size_u) % size_u, (v - b + size_v) % size_v);
    return moved(moved(n, du, (a + p.u + size_u) % size_u), dv, (b + p.v + size_v) % size_v);
  }
  const Coordinates p = parent_on_mesh(tree, {u, v}, {a, b}, {size_u, size_v});
  return moved(moved(n, du, p.u), dv, p.v);
}

DisjointTree tree_of(const Network& net, Node root, int number) {
  DisjointTree tree;
  const int nodes = net.nodes();
  for (int n = 0; n < nodes; ++n) {
    const Node node = node_at(net, n);
    tree.parent.push_back(node == root ? kNoParent
                                       : index_of(net, parent_of(net, root, number, node)));
  }
  constexpr int kUnknown = -1;
  tree.depth.assign(at(nodes), kUnknown);
  tree.depth[at(index_of(net, root))] = 0;
  for (int n = 0; n < nodes; ++n) {
    std::vector<int> path;  // up to a node of known depth
    int next = n;
    for (; tree.depth[at(next)] == kUnknown; next = tree.parent[at(next)]) {
      path.push_back(next);
      if (static_cast<int>(path.size()) > nodes) throw std::logic_error("a tree with a cycle");
    }
    int depth = tree.depth[at(next)];
    for (auto i = path.rbegin(); i != path.rend(); ++i) tree.depth[at(*i)] = ++depth;
  }
  tree.greatest_depth = std::ranges::max(tree.depth);
  return tree;
}

std::uint64_t words(std::uint64_t bytes) { return (bytes + 7) / 8; }

std::uint64_t root_of_square(std::uint64_t square) {
  std::uint64_t root = 0;
  while ((root + 1) * (root + 1) <= square) ++root;
  return root;
}

int greatest_depth(const std::vector<DisjointTree>& trees) {
  return std::ranges::max(trees, {}, &DisjointTree::greatest_depth).greatest_depth;
}

/// Every packet over every edge, in the order of the children. first_step(tree, depth of the child)
/// is the step of the edge's first packet; make(parent, child, bytes, strand) the message.
template <typename FirstStep, typename Make>
Schedule along(const Network& net, Node root, std::uint64_t bytes, std::uint32_t parameter,
               FirstStep first_step, Make make) {
  const std::vector<DisjointTree> trees = disjoint_trees(net, root);
  const std::uint64_t packets = disjoint_trees_packets(trees, bytes, parameter);
  const auto edges = static_cast<std::uint64_t>(net.nodes() - 1) * trees.size();
  if (packets * edges > DataFlow::kMostMessages) {
    throw std::invalid_argument(std::to_string(packets) + " packets along " +
                                std::to_string(trees.size()) + " trees of " +
                                std::to_string(net.nodes()) + " nodes: more than " +
                                std::to_string(DataFlow::kMostMessages) + " messages");
  }
  Schedule schedule;
  if (edges == 0) return schedule;
  schedule.steps.resize(at(greatest_depth(trees)) + packets - 1);
  const Parts strands(bytes, trees.size());
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const Parts parts(strands.bytes(t, t + 1), packets);
    for (int child = 0; child < net.nodes(); ++child) {
      const int parent = trees[t].parent[at(child)];
      if (parent == kNoParent) continue;
      const int first = first_step(trees[t], trees[t].depth[at(child)]);
      for (std::uint64_t packet = 0; packet < packets; ++packet) {
        schedule.steps[at(first) - 1 + packet].push_back(
            make(node_at(net, parent), node_at(net, child), parts.bytes(packet, packet + 1),
                 static_cast<int>(t)));
      }
    }
  }
  return schedule;
}

}  // namespace

bool disjoint_trees_support(const Network& net) { return counting_dimensions(net).size() <= 2; }

std::vector<DisjointTree> disjoint_trees(const Network& net, Node root) {
  require(net, root);
  if (!disjoint_trees_support(net)) {
    throw std::invalid_argument("disjoint trees on " + to_string(net) + ": three dimensions");
  }
  std::vector<DisjointTree> trees;
  trees.reserve(static_cast<std::size_t>(tree_count(net)));
  for (int t = 0; t < tree_count(net); ++t) trees.push_back(tree_of(net, root, t));
  return trees;
}

std::uint64_t disjoint_trees_packets(const std::vector<DisjointTree>& trees, std::uint64_t bytes,
                                     std::uint32_t parameter) {
  constexpr std::uint64_t kMostPackets = 0xFFFF;
  constexpr std::uint64_t kWordsOfAPacketsCost = 50, kLeastWords = 700;  // for each tree of a node
  if (const std::uint32_t asked = parameter & kMostPackets; asked != 0) return asked;
  const std::uint64_t longest = words(Parts(bytes, trees.size()).bytes(0, 1));
  const auto depth = static_cast<std::uint64_t>(greatest_depth(trees));
  const std::uint64_t best =
      root_of_square(longest * depth / (kWordsOfAPacketsCost * trees.size()));
  return std::max<std::uint64_t>(
      1, std::min({longest / (kLeastWords * trees.size()), kMostPackets, best}));
}

Schedule disjoint_trees_broadcast(const Network& net, Node root, std::uint64_t bytes,
                                  std::uint32_t parameter) {
  return along(
      net, root, bytes, parameter, [](const DisjointTree&, int depth) { return depth; },
      [](Node parent, Node child, std::uint64_t length, int strand) {
        return Message{parent, child, length, strand};
      });
}

Schedule disjoint_trees_reduction(const Network& net, Node root, std::uint64_t bytes,
                                  std::uint32_t parameter) {
  return along(
      net, root, bytes, parameter,
      [](const DisjointTree& tree, int depth) { return tree.greatest_depth - depth + 1; },
      [](Node parent, Node child, std::uint64_t length, int strand) {
        return Message{child, parent, length, strand};
      });
}

std::vector<std::byte> disjoint_trees_result(const Network& net, Node root,
                                             const std::vector<std::vector<std::byte>>& blocks,
                                             Operator op, ElementType type) {
  const std::vector<DisjointTree> trees = disjoint_trees(net, root);
  std::vector<std::byte> result(blocks.front().size());
  const Parts strands(result.size(), trees.size());
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const std::uint64_t first = strands.begin(t), length = strands.bytes(t, t + 1);
    std::vector<std::vector<std::byte>> of_strand;
    for (const auto& block : blocks) {
      const auto strand = std::span(block).subspan(first, length);
      of_strand.emplace_back(strand.begin(), strand.end());
    }
    const auto combined =
        combined_upwards(trees[t].parent, trees[t].depth, std::move(of_strand), op, type);
    std::ranges::copy(combined, result.begin() + static_cast<std::ptrdiff_t>(first));
  }
  return result;
}

}  // namespace annelid::reference
