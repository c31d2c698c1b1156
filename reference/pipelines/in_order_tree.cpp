#include "reference/pipelines/in_order_tree.hpp"

#include <algorithm>

#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

/// A tree over first .. first + count - 1 below `above`.
void build(Parents& tree, int first, int count, int above) {
  if (count == 0) return;
  int complete = 1;  // the complete tree has one node less
  while (2 * complete <= count) complete *= 2;
  const int root = first + complete - 1;
  tree[at(root)] = above;
  build(tree, first, complete - 1, root);
  build(tree, root + 1, count - complete, root);
}

}  // namespace

Parents in_order_tree(int count) {
  Parents tree(at(count) + 1, 0);
  build(tree, 1, count, 0);
  return tree;
}

Parents mirrored(const Parents& tree) {
  const int beyond = static_cast<int>(tree.size());  // count + 1
  Parents other(tree.size(), 0);
  for (int i = 1; i < beyond; ++i) {
    const int parent = tree[at(beyond - i)];
    other[at(i)] = parent == 0 ? 0 : beyond - parent;
  }
  return other;
}

Parents shifted(const Parents& tree) {
  const int count = static_cast<int>(tree.size()) - 1;
  Parents other(tree.size(), 0);
  for (int i = 1; i < count; ++i) other[at(i)] = std::max(0, tree[at(i + 1)] - 1);
  other[at(count)] = count - 1;
  return other;
}

int root_of(const Parents& tree) {
  const auto found = std::find(tree.begin() + 1, tree.end(), 0);
  return found == tree.end() ? 0 : static_cast<int>(found - tree.begin());
}

int height(const Parents& tree) {
  int most = -1;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    int edges = 0;
    for (int up = tree[i]; up != 0; up = tree[at(up)]) ++edges;
    most = std::max(most, edges);
  }
  return most;
}

}  // namespace annelid::reference
