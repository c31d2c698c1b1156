#include "reference/one_tree.hpp"

#include <algorithm>

#include "reference/formulas.hpp"
#include "reference/in_order_tree.hpp"
#include "reference/index.hpp"

namespace annelid::reference {
namespace {

StreamTree tree_of(int ranks, int packets) {
  return {std::vector<int>(at(ranks), -1), std::vector<int>(at(ranks), 0), 0,
          static_cast<std::uint64_t>(packets)};
}

/// The first step after `step` that is `colour` modulo 3.
int next_of_colour(int step, int colour) {
  ++step;
  while (step % 3 != colour) ++step;
  return step;
}

}  // namespace

StreamTrees binomial_tree(int ranks, int root) {
  StreamTree tree = tree_of(ranks, 1);
  const auto rank = [&](int relative) { return (root + relative) % ranks; };
  const int steps = formulas::fewest_steps(static_cast<std::uint64_t>(ranks), 1);
  for (int i = 1; i <= steps; ++i) {
    const int distance = 1 << (steps - i);
    for (int r = 0; r + distance < ranks; r += 2 * distance) {
      tree.parent[at(rank(r + distance))] = rank(r);
      tree.arrival[at(rank(r + distance))] = i;
    }
  }
  return {{tree}, 1};
}

StreamTrees linear_pipeline(int ranks, int root, int packets) {
  StreamTree tree = tree_of(ranks, packets);
  for (int r = 1; r < ranks; ++r) {
    tree.parent[at((root + r) % ranks)] = (root + r - 1) % ranks;
    tree.arrival[at((root + r) % ranks)] = r;
  }
  return {{tree}, 1};
}

StreamTrees pipelined_binary_tree(int ranks, int root, int packets) {
  StreamTree tree = tree_of(ranks, packets);
  const Parents parent = in_order_tree(ranks - 1);
  const auto step_of = [&](const auto& self, int i) -> int {
    const int p = parent[at(i)];
    if (p == 0) return 1;
    return self(self, p) + (i < p ? 1 : 2);
  };
  for (int i = 1; i < ranks; ++i) {
    tree.parent[at((root + i) % ranks)] = (root + parent[at(i)]) % ranks;
    tree.arrival[at((root + i) % ranks)] = step_of(step_of, i);
  }
  return {{tree}, 2};
}

DataFlow linear_pipeline_scan(int ranks, int packets, bool exclusive) {
  // A tree in which every rank is the left child of the next: what goes up is all that is needed.
  ScanTree tree{{}, {}, {}, 0, static_cast<std::uint64_t>(packets)};
  for (int r = 0; r < ranks; ++r) {
    tree.parent.push_back(r + 1 < ranks ? r + 1 : -1);
    tree.up.push_back(r + 1);
    tree.down.push_back(0);
  }
  return scan_streams({tree}, 1, exclusive);
}

DataFlow doubly_pipelined_scan(int ranks, int packets, bool exclusive) {
  const Parents parent = in_order_tree(ranks);
  std::vector<int> colour(at(ranks) + 1, 0), up(colour), down(colour), from_the_root;
  std::vector<std::vector<int>> children(at(ranks) + 1);
  for (int i = 1; i <= ranks; ++i) children[at(parent[at(i)])].push_back(i);
  from_the_root = children[0];
  for (std::size_t n = 0; n < from_the_root.size(); ++n) {
    for (const int child : children[at(from_the_root[n])]) from_the_root.push_back(child);
  }
  for (const int i : from_the_root) {
    const int p = parent[at(i)];
    if (p != 0) colour[at(i)] = (colour[at(p)] + (i < p ? 1 : 2)) % 3;
  }
  for (auto i = from_the_root.rbegin(); i != from_the_root.rend(); ++i) {
    int last = 0;
    for (const int child : children[at(*i)]) last = std::max(last, up[at(child)]);
    up[at(*i)] = next_of_colour(last, colour[at(*i)]);
  }
  for (const int i : from_the_root) {
    const int p = parent[at(i)];
    down[at(i)] = p == 0 ? up[at(i)] : next_of_colour(down[at(p)], colour[at(i)]);
  }
  ScanTree tree{{}, {}, {}, 0, static_cast<std::uint64_t>(packets)};
  for (int i = 1; i <= ranks; ++i) {
    tree.parent.push_back(parent[at(i)] - 1);
    tree.up.push_back(up[at(i)]);
    tree.down.push_back(down[at(i)]);
  }
  return scan_streams({tree}, 3, exclusive);
}

}  // namespace annelid::reference
