#include "reference/pipelines/stream_tree.hpp"

#include <algorithm>
#include <numeric>

#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

constexpr int kNone = Combinations::kNone;

int rank_of_root(const std::vector<int>& parent) {
  return static_cast<int>(std::ranges::find(parent, -1) - parent.begin());
}

/// Step of the packet that is the first one when time is reversed.
int first_step_up(const StreamTrees& all, const StreamTree& tree, int rank) {
  return all.steps() + 1 - tree.arrival[at(rank)] - all.period * (tree.packets() - 1);
}

/// Every rank after its children.
std::vector<int> upwards(const std::vector<int>& parent) {
  const int ranks = static_cast<int>(parent.size());
  std::vector<int> children(at(ranks), 0), order;
  for (const int p : parent) {
    if (p >= 0) ++children[at(p)];
  }
  for (int r = 0; r < ranks; ++r) {
    if (children[at(r)] == 0) order.push_back(r);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int p = parent[at(order[i])];
    if (p >= 0 && --children[at(p)] == 0) order.push_back(p);
  }
  return order;
}

/// Sends `value`, which the root has, down the tree, `after` steps later than `arrival` says.
void send_down(DataFlow& flow, const StreamTree& tree, int period, int after, int value) {
  for (int rank = 0; rank < flow.ranks(); ++rank) {
    const int parent = tree.parent[at(rank)];
    if (parent < 0) continue;
    flow.send(Stream{.from = parent,
                     .to = rank,
                     .step = after + tree.arrival[at(rank)],
                     .period = period,
                     .first = tree.first,
                     .end = tree.end,
                     .value = value});
  }
}

/// Sends all blocks up the tree and returns what the root has then.
int send_up(DataFlow& flow, const StreamTrees& all, const StreamTree& tree) {
  std::vector<int> partial(static_cast<std::size_t>(flow.ranks()));
  std::iota(partial.begin(), partial.end(), 0);
  std::vector<std::vector<int>> children(partial.size());
  for (const int rank : upwards(tree.parent)) {
    auto& below = children[at(rank)];
    std::ranges::sort(below, {}, [&](int c) { return first_step_up(all, tree, c); });
    for (const int child : below) {
      int& own = partial[at(rank)];
      own = child < rank ? flow.values.combine(partial[at(child)], own)
                         : flow.values.combine(own, partial[at(child)]);
    }
    const int parent = tree.parent[at(rank)];
    if (parent < 0) continue;
    children[at(parent)].push_back(rank);
    flow.send(Stream{.from = rank,
                     .to = parent,
                     .step = first_step_up(all, tree, rank),
                     .period = all.period,
                     .first = tree.first,
                     .end = tree.end,
                     .value = partial[at(rank)]});
  }
  return partial[at(rank_of_root(tree.parent))];
}

/// What the ranks of a scan have, by rank; kNone: nothing.
struct ScanValues {
  explicit ScanValues(std::size_t ranks)
      : left(ranks, kNone), right(left), with_left(left), total(left), above(left), prefix(left) {}

  std::vector<int> left, right;  ///< the children's totals
  std::vector<int> with_left;    ///< left (+) own
  std::vector<int> total;        ///< of the subtree
  std::vector<int> above;        ///< from the parent: the ranks below the subtree's
  std::vector<int> prefix;       ///< the ranks up to this one
};

ScanValues values_of(Combinations& values, const ScanTree& tree) {
  const std::vector<int>& parent = tree.parent;
  ScanValues v(parent.size());
  std::vector<int> left_up(parent.size(), 0), right_up(left_up);  // steps of the children
  const std::vector<int> order = upwards(parent);
  for (const int rank : order) {
    const int left = v.left[at(rank)], right = v.right[at(rank)];
    v.with_left[at(rank)] = values.combine(left, rank);
    // The total is made in the order of the steps.
    v.total[at(rank)] = left_up[at(rank)] <= right_up[at(rank)]
                            ? values.combine(v.with_left[at(rank)], right)
                            : values.combine(left, values.combine(rank, right));
    const int p = parent[at(rank)];
    if (p < 0) continue;
    (rank < p ? v.left : v.right)[at(p)] = v.total[at(rank)];
    (rank < p ? left_up : right_up)[at(p)] = tree.up[at(rank)];
  }
  for (auto r = order.rbegin(); r != order.rend(); ++r) {
    const int p = parent[at(*r)];
    if (p >= 0) v.above[at(*r)] = *r < p ? v.above[at(p)] : v.prefix[at(p)];
    v.prefix[at(*r)] = values.combine(v.above[at(*r)], v.with_left[at(*r)]);
  }
  return v;
}

}  // namespace

StreamTree unlinked_tree(int ranks, int packets) {
  return {std::vector<int>(at(ranks), -1), std::vector<int>(at(ranks), 0), 0,
          static_cast<std::uint64_t>(packets)};
}

int StreamTrees::steps() const {
  int last = 0;
  for (const StreamTree& tree : trees) {
    const int arrival = *std::ranges::max_element(tree.arrival);
    if (arrival > 0) last = std::max(last, arrival + period * (tree.packets() - 1));
  }
  return last;
}

DataFlow broadcast_streams(const StreamTrees& all) {
  DataFlow flow(all.ranks(), all.parts());
  const int root = rank_of_root(all.trees.front().parent);
  for (const StreamTree& tree : all.trees) send_down(flow, tree, all.period, 0, root);
  flow.results.push_back({0, flow.ranks(), 0, flow.parts, root});
  return flow;
}

DataFlow reduction_streams(const StreamTrees& all) {
  DataFlow flow(all.ranks(), all.parts());
  for (const StreamTree& tree : all.trees) {
    const int root = rank_of_root(tree.parent);
    flow.results.push_back({root, root + 1, tree.first, tree.end, send_up(flow, all, tree)});
  }
  return flow;
}

DataFlow all_reduction_streams(const StreamTrees& all) {
  DataFlow flow(all.ranks(), all.parts());
  for (const StreamTree& tree : all.trees) {
    const int value = send_up(flow, all, tree);
    send_down(flow, tree, all.period, all.steps(), value);
    flow.results.push_back({0, flow.ranks(), tree.first, tree.end, value});
  }
  return flow;
}

DataFlow scan_streams(const std::vector<ScanTree>& trees, int period, bool exclusive) {
  DataFlow flow(static_cast<int>(trees.front().parent.size()), trees.back().end);
  for (const ScanTree& tree : trees) {
    const ScanValues v = values_of(flow.values, tree);
    const auto stream = [&](int from, int to, int step, int value) {
      flow.send(Stream{from, to, step, period, tree.first, tree.end, value});
    };
    for (int rank = 0; rank < flow.ranks(); ++rank) {
      const int parent = tree.parent[at(rank)];
      if (parent >= 0) {
        const int total = v.total[at(rank)], above = v.above[at(rank)];
        const bool last = flow.values.in_order(total).value().end == flow.ranks();
        if (!last) stream(rank, parent, tree.up[at(rank)], total);
        if (above != kNone) stream(parent, rank, tree.down[at(rank)], above);
      }
      const int result =
          exclusive ? flow.values.combine(v.above[at(rank)], v.left[at(rank)]) : v.prefix[at(rank)];
      if (result != kNone) flow.results.push_back({rank, rank + 1, tree.first, tree.end, result});
    }
  }
  return flow;
}

std::vector<ScanTree> scan_trees(const StreamTrees& all) {
  std::vector<ScanTree> trees;
  for (const StreamTree& tree : all.trees) {
    ScanTree& scan = trees.emplace_back(ScanTree{tree.parent, {}, {}, tree.first, tree.end});
    for (int rank = 0; rank < all.ranks(); ++rank) {
      scan.up.push_back(first_step_up(all, tree, rank));
      scan.down.push_back(all.steps() + tree.arrival[at(rank)]);
    }
  }
  return trees;
}

}  // namespace annelid::reference
