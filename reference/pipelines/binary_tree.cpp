#include "reference/pipelines/binary_tree.hpp"

#include "reference/pipelines/in_order_tree.hpp"
#include "reference/schedule/index.hpp"

namespace annelid::reference {

StreamTrees pipelined_binary_tree(int ranks, int root, int packets) {
  StreamTree tree = unlinked_tree(ranks, packets);
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

}  // namespace annelid::reference
