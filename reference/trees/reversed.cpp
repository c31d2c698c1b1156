#include "reference/trees/reversed.hpp"

#include <algorithm>

#include "reference/checks/contention.hpp"
#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

/// A tree of turned(net), with its ranks replaced by those of `net`. The children's order stays.
struct MappedBack {
  const Network& net;
  Network from = turned(net);

  [[nodiscard]] Node node(int rank) const { return turned_back(net, node_at(from, rank)); }
  [[nodiscard]] int rank(int in_turned) const { return index_of(net, node(in_turned)); }
};

/// The nodes that receive in each step, in ascending (z, y, x).
std::vector<std::vector<int>> receivers(const Tree& tree) {
  std::vector<std::vector<int>> by_step(tree.steps);
  for (int i = 0; at(i) < tree.step.size(); ++i) {
    if (i != tree.root) by_step[tree.step[at(i)] - 1].push_back(i);
  }
  return by_step;
}

/// The dimension that changes places with x. The turned network cannot tell: of 1x2x3 nodes it has
/// 3x2, one plane.
bool exchanges_x_and_y(const Network& net) { return net.z == 1; }

Node exchanged(const Network& net, Node node) {
  if (exchanges_x_and_y(net)) return {node.y, node.x, node.z};
  return {node.z, node.y, node.x};
}

Node mirrored(const Network& net, Node node) {
  if (net.ring[0]) node.x = (net.x - node.x) % net.x;
  if (net.ring[1]) node.y = (net.y - node.y) % net.y;
  if (net.ring[2]) node.z = (net.z - node.z) % net.z;
  return node;
}

}  // namespace

Network turned(const Network& net) {
  if (exchanges_x_and_y(net)) return {net.y, net.x, 1, {net.ring[1], net.ring[0], net.ring[2]}};
  return {net.z, net.y, net.x, {net.ring[2], net.ring[1], net.ring[0]}};
}

Node turned(const Network& net, Node node) { return exchanged(net, mirrored(net, node)); }
Node turned_back(const Network& net, Node node) { return mirrored(net, exchanged(net, node)); }

Tree tree_of(const Network& net, Node root, const Schedule& broadcast) {
  require(net, root);
  if (const auto violation = broadcast_violation(net, root, broadcast)) {
    throw std::invalid_argument("not a tree: " + *violation);
  }
  const std::size_t nodes = at(net.nodes());
  Tree tree{index_of(net, root), broadcast.steps.size(), std::vector<int>(nodes, -1),
            std::vector<std::size_t>(nodes, 0), std::vector<std::vector<int>>(nodes)};
  for (std::size_t i = 0; i < broadcast.steps.size(); ++i) {
    std::vector<int> reached;
    for (const Message& m : broadcast.steps[i]) {
      const int to = index_of(net, m.to);
      tree.parent[at(to)] = index_of(net, m.from);
      tree.step[at(to)] = i + 1;
      reached.push_back(to);
    }
    std::ranges::sort(reached);
    for (int to : reached) tree.children[at(tree.parent[at(to)])].push_back(to);
  }
  return tree;
}

std::vector<int> subtree(const Tree& tree, int top) {
  std::vector<int> nodes, open{top};
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    nodes.push_back(next);
    const std::vector<int>& below = tree.children[at(next)];
    open.insert(open.end(), below.rbegin(), below.rend());
  }
  return nodes;
}

BlockSchedule scatter_along(const Network& net, const Tree& tree) {
  BlockSchedule schedule;
  for (const auto& reached : receivers(tree)) {
    auto& step = schedule.emplace_back();
    for (int to : reached) {
      step.push_back({node_at(net, tree.parent[at(to)]), node_at(net, to), subtree(tree, to)});
    }
    std::ranges::stable_sort(step, {},
                             [&](const BlockMessage& m) { return index_of(net, m.from); });
  }
  return schedule;
}

BlockSchedule gather_along(const Network& net, const Tree& tree) {
  const MappedBack back{net};
  BlockSchedule schedule;
  for (const auto& reached : receivers(tree)) {
    auto& step = schedule.emplace_back();
    for (int from : reached) {
      std::vector<int> blocks = subtree(tree, from);
      for (int& block : blocks) block = back.rank(block);
      step.push_back({back.node(from), back.node(tree.parent[at(from)]), std::move(blocks)});
    }
    std::ranges::sort(step, {}, [&](const BlockMessage& m) { return index_of(net, m.from); });
  }
  std::ranges::reverse(schedule);
  return schedule;
}

Schedule reduce_along(const Network& net, const Tree& tree, std::uint64_t bytes) {
  const MappedBack back{net};
  Schedule schedule;
  for (const auto& reached : receivers(tree)) {
    Step& step = schedule.steps.emplace_back();
    for (int from : reached) {
      step.push_back({back.node(from), back.node(tree.parent[at(from)]), bytes});
    }
    std::ranges::sort(step, {}, [&](const Message& m) { return index_of(net, m.from); });
  }
  std::ranges::reverse(schedule.steps);
  return schedule;
}

Tree broadcast_tree(Broadcast broadcast, const Request& request) {
  return tree_of(request.network, request.root, broadcast(request));
}

Tree turned_tree(Broadcast broadcast, const Request& request) {
  require(request.network, request.root);
  Request other = request;
  other.network = turned(request.network);
  other.root = turned(request.network, request.root);
  return tree_of(other.network, other.root, broadcast(other));
}

}  // namespace annelid::reference
