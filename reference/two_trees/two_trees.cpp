#include "reference/two_trees/two_trees.hpp"

#include <stdexcept>
#include <string>

#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

/// The bipartite graph of Lemma 1. Its edges are those of both trees, (tree, child): the sender's
/// vertex is the parent's, the receiver's the child's. No vertex has more than two.
class BipartiteGraph {
 public:
  struct Edge {
    int tree = -1, child = 0;
    [[nodiscard]] bool exists() const { return tree >= 0; }
  };

  explicit BipartiteGraph(const std::array<Parents, 2>& parent)
      : parent_(parent), sent_(parent[0].size()) {
    for (int tree = 0; tree < 2; ++tree) {
      for (int child = 1; child < static_cast<int>(parent[at(tree)].size()); ++child) {
        auto& of_parent = sent_[at(parent[at(tree)][at(child)])];
        if (of_parent[1].exists()) {
          throw std::invalid_argument("two trees: process " +
                                      std::to_string(parent[at(tree)][at(child)]) +
                                      " has more than two children");
        }
        of_parent[of_parent[0].exists() ? 1 : 0] = {tree, child};
      }
    }
  }

  /// The other edge of the same receiver.
  [[nodiscard]] static Edge across_receiver(Edge e) { return {1 - e.tree, e.child}; }
  /// The other edge of the same sender, if it has two.
  [[nodiscard]] Edge across_sender(Edge e) const {
    const auto& edges = sent_[at(parent_[at(e.tree)][at(e.child)])];
    return edges[0].tree == e.tree && edges[0].child == e.child ? edges[1] : edges[0];
  }

 private:
  const std::array<Parents, 2>& parent_;
  std::vector<std::array<Edge, 2>> sent_;  // by parent
};

constexpr int kUncoloured = -1;

/// Colours a path or cycle from one of its edges on, in both directions.
void walk(const BipartiteGraph& graph, BipartiteGraph::Edge start, int colour,
          std::array<std::vector<int>, 2>& colours) {
  const auto of = [&](BipartiteGraph::Edge e) -> int& { return colours[at(e.tree)][at(e.child)]; };
  of(start) = colour;
  for (const bool first_across_receiver : {true, false}) {
    BipartiteGraph::Edge here = start;
    for (bool receiver = first_across_receiver;; receiver = !receiver) {
      const BipartiteGraph::Edge next =
          receiver ? BipartiteGraph::across_receiver(here) : graph.across_sender(here);
      if (!next.exists() || of(next) != kUncoloured) break;
      of(next) = 1 - of(here);
      here = next;
    }
  }
}

std::array<std::vector<int>, 2> coloured(const std::array<Parents, 2>& parent) {
  const int processes = static_cast<int>(parent[0].size()) - 1;
  std::array<std::vector<int>, 2> colours;
  colours.fill(std::vector<int>(parent[0].size(), kUncoloured));
  const BipartiteGraph graph(parent);
  walk(graph, {0, root_of(parent[0])}, 1, colours);
  // Where the lemma leaves paths free: the edge into process 2 in the first tree has 1 (then there
  // is one such path, and it has this edge).
  for (int child = 2; child <= processes; ++child) {
    if (colours[0][at(child)] == kUncoloured) walk(graph, {0, child}, 1, colours);
  }
  return colours;
}

/// With the last process as right child of the one before it in the first tree, and as left child
/// of process 1 in the second.
void add_leaf(std::array<Parents, 2>& parent) {
  const int last = static_cast<int>(parent[0].size());
  parent[0].push_back(last - 1);
  parent[1].push_back(1);
}

}  // namespace

TwoTrees two_trees(int processes, SecondTree second, OddProcess odd) {
  const bool is_odd = processes % 2 != 0;
  const Parents first = in_order_tree(is_odd ? processes - 1 : processes);
  TwoTrees trees;
  if (first.size() == 1) {  // no process, or one
    trees.parent.fill(Parents(at(processes) + 1, 0));
    trees.colour = {std::vector<int>(at(processes) + 1, 1), std::vector<int>(at(processes) + 1, 0)};
    trees.common_root = processes;
    return trees;
  }
  trees.parent = {first, second == SecondTree::kMirrored ? mirrored(first) : shifted(first)};
  if (is_odd && odd == OddProcess::kLeaf) add_leaf(trees.parent);
  trees.colour = coloured(trees.parent);
  if (!is_odd || odd == OddProcess::kLeaf) return trees;
  trees.common_root = processes;
  for (std::size_t tree = 0; tree < 2; ++tree) {
    trees.parent[tree][at(root_of(trees.parent[tree]))] = processes;
    trees.parent[tree].push_back(0);
    trees.colour[tree].push_back(tree == 0 ? 1 : 0);
  }
  return trees;
}

std::vector<int> arrivals(const Parents& tree, const std::vector<int>& colour, int top) {
  const int processes = static_cast<int>(tree.size()) - 1;
  std::vector<int> step(tree.size(), 0);
  std::vector<std::vector<int>> children(tree.size());
  for (int i = 1; i <= processes; ++i) children[at(tree[at(i)])].push_back(i);
  std::vector<int> open{top};
  while (!open.empty()) {
    const int parent = open.back();
    open.pop_back();
    for (const int child : children[at(parent)]) {
      const bool next_is_odd = step[at(parent)] % 2 == 0;
      step[at(child)] = step[at(parent)] + (next_is_odd == (colour[at(child)] == 1) ? 1 : 2);
      open.push_back(child);
    }
  }
  return step;
}

}  // namespace annelid::reference
