#include "reference/two_trees/two_tree.hpp"

#include <algorithm>

#include "reference/schedule/index.hpp"
#include "reference/schedule/network.hpp"

namespace annelid::reference {
namespace {

/// Tree 1 or 2 (0 or 1) of a pair, with no ranks in it yet.
StreamTree empty_tree(int ranks, int tree, int packets) {
  const auto k = static_cast<std::uint64_t>(packets), number = static_cast<std::uint64_t>(tree);
  return {std::vector<int>(at(ranks), -1), std::vector<int>(at(ranks), 0), number * k,
          (number + 1) * k};
}

/// When the processes of a tree have packet 1 from a source above it.
std::vector<int> arrivals_below_source(const TwoTrees& trees, int tree) {
  std::vector<int> steps =
      arrivals(trees.parent[at(tree)], trees.colour[at(tree)], trees.common_root);
  if (trees.common_root == 0) return steps;
  // The common root is a source that has its packets a step later.
  for (int& step : steps) ++step;
  steps[at(trees.common_root)] = tree + 1;
  return steps;
}

}  // namespace

int two_tree_height(int processes) {
  return fewest_steps(static_cast<std::uint64_t>(processes) + 2, 1);
}

StreamTrees two_tree_streams(int ranks, int root, int packets, SecondTree second, OddProcess odd) {
  const TwoTrees trees = two_trees(ranks - 1, second, odd);
  const auto rank = [&](int process) { return at((root + process) % ranks); };
  StreamTrees streams{{}, 2};
  for (int tree = 0; tree < 2; ++tree) {
    StreamTree& stream = streams.trees.emplace_back(empty_tree(ranks, tree, packets));
    const std::vector<int> steps = arrivals_below_source(trees, tree);
    for (int i = 1; i < ranks; ++i) {
      stream.parent[rank(i)] = static_cast<int>(rank(trees.parent[at(tree)][at(i)]));
      stream.arrival[rank(i)] = steps[at(i)];
    }
  }
  return streams;
}

DataFlow two_tree_scan(int ranks, int packets, SecondTree second, bool exclusive) {
  const TwoTrees trees = two_trees(ranks, second, OddProcess::kRoot);
  StreamTrees streams{{}, 2};
  for (int tree = 0; tree < 2; ++tree) {
    const Parents& parent = trees.parent[at(tree)];
    StreamTree& stream = streams.trees.emplace_back(empty_tree(ranks, tree, packets));
    const std::vector<int> steps = arrivals(parent, trees.colour[at(tree)], root_of(parent));
    for (int i = 1; i <= ranks; ++i) {
      stream.parent[at(i - 1)] = parent[at(i)] - 1;
      stream.arrival[at(i - 1)] = steps[at(i)];
    }
  }
  return scan_streams(scan_trees(streams), streams.period, exclusive);
}

StreamTrees two_tree_couples(int ranks, int root, int packets) {
  const int couples = (ranks - 1) / 2;
  const TwoTrees trees = two_trees(couples, SecondTree::kMirrored, OddProcess::kLeaf);
  const auto rank = [&](int place) { return (root + place) % ranks; };
  const auto receiver = [&](int couple) { return rank(2 * couple - 1); };
  const auto sender = [&](int couple) { return rank(2 * couple); };  // of 0: the root
  StreamTrees streams{{}, 4};
  for (int tree = 0; tree < 2; ++tree) {
    StreamTree& stream = streams.trees.emplace_back(empty_tree(ranks, tree, packets));
    const auto receive = [&](int to, int from, int step) {
      stream.parent[at(to)] = from;
      stream.arrival[at(to)] = step;
    };
    const std::vector<int> steps = arrivals_below_source(trees, tree);
    for (int c = 1; c <= couples; ++c) {
      receive(receiver(c), sender(trees.parent[at(tree)][at(c)]), 2 * steps[at(c)] - 1);
      receive(sender(c), receiver(c), 2 * steps[at(c)]);
    }
    if (ranks % 2 == 0) receive(rank(ranks - 1), root, 2 * (tree + 1));
  }
  return streams;
}

namespace {

/// Two trees of couples, and when each couple has packet 1 of a tree from above.
struct Couples {
  explicit Couples(int couples)
      : trees(two_trees(couples, SecondTree::kMirrored, OddProcess::kRoot)),
        arrival{arrivals_below_source(trees, 0), arrivals_below_source(trees, 1)} {}

  [[nodiscard]] int parent(int tree, int couple) const {
    return trees.parent[at(tree)][at(couple)];
  }
  /// Whether the second of a couple has the edge to the parent.
  [[nodiscard]] bool second_links(int tree, int couple) const {
    if (couple == trees.common_root) return true;
    for (int inner = 0; inner < 2; ++inner) {
      for (int child = 1; child <= trees.processes(); ++child) {
        if (parent(inner, child) != couple) continue;
        // Up, the child two steps away comes first. The other of the couple has the edge.
        const bool comes_first =
            arrival[at(inner)][at(child)] - arrival[at(inner)][at(couple)] == 2;
        const bool by_first = comes_first == (child < couple);
        return (inner == tree) == by_first;
      }
    }
    return false;
  }

  TwoTrees trees;
  std::array<std::vector<int>, 2> arrival;
};

}  // namespace

DataFlow two_tree_couples_scan(int ranks, int packets, bool exclusive) {
  const Couples couples(ranks / 2);
  int last = 0;
  for (const auto& steps : couples.arrival) last = std::max(last, *std::ranges::max_element(steps));
  std::vector<ScanTree> scans;
  for (int tree = 0; tree < 2; ++tree) {
    const StreamTree empty = empty_tree(ranks, tree, packets);
    ScanTree scan{empty.parent, empty.arrival, empty.arrival, empty.first, empty.end};
    for (int c = 1; c <= couples.trees.processes(); ++c) {
      const int first = 2 * c - 2, second = 2 * c - 1, above = couples.parent(tree, c);
      const bool second_links = couples.second_links(tree, c);
      const int link = second_links ? second : first, other = second_links ? first : second;
      const int arrival = couples.arrival[at(tree)][at(c)];
      const int up = 2 * (last + 1 - arrival) + 2;
      const int down = 2 * (last + 2 * (packets - 1) + arrival) + 2;
      const int within = c == couples.trees.common_root ? 1 : 3;
      scan.parent[at(other)] = link;
      scan.up[at(other)] = up - within;
      scan.down[at(other)] = down + within;
      if (above != 0) scan.parent[at(link)] = c < above ? 2 * above - 2 : 2 * above - 1;
      if (above == 0 && ranks % 2 == 1) scan.parent[at(link)] = ranks - 1;
      scan.up[at(link)] = up;
      scan.down[at(link)] = down;
    }
    scans.push_back(scan);
  }
  return scan_streams(scans, 4, exclusive);
}

}  // namespace annelid::reference
