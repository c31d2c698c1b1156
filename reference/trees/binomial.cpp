#include "reference/trees/binomial.hpp"

#include "reference/schedule/index.hpp"
#include "reference/schedule/network.hpp"

namespace annelid::reference {

StreamTrees binomial_tree(int ranks, int root) {
  StreamTree tree = unlinked_tree(ranks, 1);
  const auto rank = [&](int relative) { return (root + relative) % ranks; };
  const int steps = fewest_steps(static_cast<std::uint64_t>(ranks), 1);
  for (int i = 1; i <= steps; ++i) {
    const int distance = 1 << (steps - i);
    for (int r = 0; r + distance < ranks; r += 2 * distance) {
      tree.parent[at(rank(r + distance))] = rank(r);
      tree.arrival[at(rank(r + distance))] = i;
    }
  }
  return {{tree}, 1};
}

}  // namespace annelid::reference
