#include "reference/pipelines/doubly_pipelined.hpp"

#include <algorithm>

#include "reference/pipelines/in_order_tree.hpp"
#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

/// The first step after `step` that is `colour` modulo 3.
int next_of_colour(int step, int colour) {
  ++step;
  while (step % 3 != colour) ++step;
  return step;
}

}  // namespace

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
