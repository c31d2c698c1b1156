#include "reference/trees/combined_upwards.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "reference/schedule/index.hpp"

namespace annelid::reference {

std::vector<std::byte> combined_upwards(const std::vector<int>& parent,
                                        const std::vector<int>& depth,
                                        std::vector<std::vector<std::byte>> blocks, Operator op,
                                        ElementType type) {
  std::vector<int> order(blocks.size());
  std::iota(order.begin(), order.end(), 0);
  // The deepest first, so that a child has its own children's; a node's children by number.
  std::ranges::stable_sort(order, std::greater<>(), [&](int n) { return depth[at(n)]; });
  for (const int child : order) {
    const int to = parent[at(child)];
    if (to >= 0) combine(op, type, blocks[at(to)], blocks[at(child)]);
  }
  return std::move(blocks[at(order.back())]);
}

}  // namespace annelid::reference
