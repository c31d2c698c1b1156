#include "reference/combs/comb_trees.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "reference/schedule/index.hpp"
#include "reference/schedule/lines.hpp"

namespace annelid::reference {
namespace {

/// A rotation of the dimensions that count, by the number of its first one.
std::vector<std::size_t> rotation(const std::vector<std::size_t>& counting, std::size_t first) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < counting.size(); ++i) {
    order.push_back(counting[(first + i) % counting.size()]);
  }
  return order;
}

/// The roots of the trees of an order, by number: all nodes in the middle of the last dimension.
std::vector<Node> roots_of(const Network& net, const std::vector<std::size_t>& order) {
  const std::size_t last = order.back();
  std::vector<Node> roots = {moved({}, last, net.size()[last] / 2)};
  for (std::size_t i = 0; i + 1 < order.size(); ++i) roots = all_along(net, roots, order[i]);
  return roots;
}

/// The neighbour towards the root in the first dimension of the order in which they differ.
Node next_towards(const CombTree& tree, Node root, Node node) {
  for (const std::size_t d : tree.dimensions) {
    const int from = position(node, d), to = position(root, d);
    if (from != to) return moved(node, d, from > to ? from - 1 : from + 1);
  }
  throw std::logic_error("the root has no parent");
}

int distance_in(const CombTree& tree, Node a, Node b) {
  int edges = 0;
  for (const std::size_t d : tree.dimensions) edges += std::abs(position(a, d) - position(b, d));
  return edges;
}

CombTree tree_to(const Network& net, const std::vector<std::size_t>& order, Node root) {
  CombTree tree;
  tree.dimensions = order;
  if (!order.empty()) tree.weight = at(net.size()[order.back()]) - 1;
  tree.root = index_of(net, root);
  for (int n = 0; n < net.nodes(); ++n) {
    const Node node = node_at(net, n);
    tree.parent.push_back(n == tree.root ? CombTree::kNoParent
                                         : index_of(net, next_towards(tree, root, node)));
    tree.depth.push_back(distance_in(tree, node, root));
  }
  tree.greatest_depth = *std::ranges::max_element(tree.depth);
  return tree;
}

}  // namespace

bool combs_support(const Network& net) { return !net.has_rings(); }

std::vector<CombTree> comb_trees(const Network& net) {
  require(net, {});
  if (!combs_support(net)) {
    throw std::invalid_argument("combs on " + to_string(net) + ": expected a mesh");
  }
  const std::vector<std::size_t> counting = counting_dimensions(net);
  if (counting.empty()) return {tree_to(net, {}, {})};
  std::vector<CombTree> trees;
  for (std::size_t first = 0; first < counting.size(); ++first) {
    const std::vector<std::size_t> order = rotation(counting, first);
    for (const Node root : roots_of(net, order)) trees.push_back(tree_to(net, order, root));
  }
  return trees;
}

std::uint64_t links_of(const std::vector<CombTree>& trees) {
  std::uint64_t links = 0;
  for (const CombTree& tree : trees) links += tree.weight;
  return links;
}

std::vector<std::vector<int>> children_of(const CombTree& tree) {
  std::vector<std::vector<int>> children(tree.parent.size());
  for (std::size_t n = 0; n < tree.parent.size(); ++n) {
    if (tree.parent[n] != CombTree::kNoParent) {
      children[at(tree.parent[n])].push_back(static_cast<int>(n));
    }
  }
  return children;
}

}  // namespace annelid::reference
