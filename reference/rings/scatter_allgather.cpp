#include "reference/rings/scatter_allgather.hpp"

#include "reference/trees/binomial.hpp"

namespace annelid::reference {

DataFlow scatter_allgather_broadcast(int ranks, int root) {
  const auto part = [](int relative) { return static_cast<std::uint64_t>(relative); };
  const auto rank = [&](int relative) { return (root + relative) % ranks; };
  DataFlow flow(ranks, part(ranks));
  const StreamTrees tree = binomial_tree(ranks, root);
  const int steps = tree.steps();
  for (int r = 1; r < ranks; ++r) {
    const auto to = static_cast<std::size_t>(rank(r));
    const int step = tree.trees[0].arrival[to];
    const int end = std::min(ranks, r + (1 << (steps - step)));  // of the subtree below r
    flow.send(step, {tree.trees[0].parent[to], rank(r), part(r), part(end), root});
  }
  for (int i = 1; i < ranks; ++i) {
    for (int r = 0; r < ranks; ++r) {
      const std::uint64_t passed = part((r - i + 1 + ranks) % ranks);
      flow.send(steps + i, {rank(r), rank((r + 1) % ranks), passed, passed + 1, root});
    }
  }
  flow.results.push_back({0, ranks, 0, part(ranks), root});
  return flow;
}

}  // namespace annelid::reference
