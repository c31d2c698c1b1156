#include "firmware/collectives/two_trees.hpp"

#include <utility>

namespace annelid::firmware {
namespace {

/// An even number with an even number of ones in binary, a multiple of 4.
bool is_detached(std::uint32_t q) {
  std::uint32_t ones = 0;
  for (std::uint32_t bits = q; bits != 0; bits &= bits - 1) ++ones;
  return q != 0 && q % 4 == 0 && ones % 2 == 0;
}

}  // namespace

TwoTrees::TwoTrees(std::uint32_t size, bool shifting, bool common_root)
    : size_(size),
      even_(size & ~1U),
      shifting_(shifting),
      extra_leaf_(size % 2 != 0 && size > 1 && !common_root),
      common_root_(size % 2 != 0 && size > 1 && common_root),
      detached_(shifting && is_detached(even_)),
      tree_(even_ == 0 ? 1 : even_) {}

std::uint32_t TwoTrees::position(std::uint32_t tree, std::uint32_t i) const {
  return tree == 0 ? i : shifting_ ? i + 1 : even_ + 1 - i;
}
std::uint32_t TwoTrees::process(std::uint32_t tree, std::uint32_t position) const {
  return tree == 0 ? position : shifting_ ? position - 1 : even_ + 1 - position;
}

/// Whether the edge into an interior position and that into its parent, of height h, have different
/// colours. Each such edge costs one step, the others two.
bool TwoTrees::differs(std::uint32_t tree, std::uint32_t position, std::uint32_t parent,
                       std::uint32_t h) const {
  bool result = parent > position;
  if (!shifting_) {
    result ^= even_ % 4 != 0;
  } else if (tree == 0) {
    result ^= !(detached_ && tree_.on_spine(parent, h));
  }
  return result;
}

TwoTrees::Place TwoTrees::interior(std::uint32_t tree, std::uint32_t position) const {
  Place place{1, 0, 1};
  std::uint32_t h = trailing_zeros(position);
  while (position != tree_.root()) {
    const std::uint32_t parent = tree_.parent(position, h);
    do ++h;
    while ((parent >> h & 1) == 0);
    const std::uint32_t differ = differs(tree, position, parent, h) ? 1 : 0;
    place.colour ^= differ;
    place.delay += 2 - differ;
    place.top = 1 ^ differ;
    position = parent;
  }
  return place;
}

/// The colour of the edge into a leaf: not that of the edge into the same process in the other
/// tree, where it is interior. (Colours are counted from the root's, so these two are the same.)
std::uint32_t TwoTrees::leaf_colour(std::uint32_t tree, std::uint32_t leaf) const {
  return interior(1 - tree, position(1 - tree, process(tree, leaf))).colour;
}

/// Steps from an interior position's first packet to that of a child; its children have one and
/// two.
std::uint32_t TwoTrees::delay(std::uint32_t tree, std::uint32_t child, std::uint32_t parent,
                              std::uint32_t h, const Place& place) const {
  const bool differ = h > 1 && child <= even_ ? differs(tree, child, parent, h)
                                              : leaf_colour(tree, child) != place.colour;
  return differ ? 1 : 2;
}

/// The extra leaf's colour in T1, and its delay there: other than its sibling's, the left child of
/// the last process.
std::uint32_t TwoTrees::extra_leaf_delay(const Place& parent) const {
  const std::uint32_t h = trailing_zeros(even_);
  return 3 - delay(0, InOrderTree::left(even_, h), even_, h, parent);
}
/// In T2: what the colour in T1 leaves.
std::uint32_t TwoTrees::extra_leaf_delay_in_t2(const Place& parent) const {
  const Place last = interior(0, even_);
  const std::uint32_t colour = extra_leaf_delay(last) == 1 ? 1 ^ last.colour : last.colour;
  return colour != parent.colour ? 1 : 2;
}

std::uint32_t TwoTrees::first(std::uint32_t tree, const Place& place, bool scan) const {
  if (!scan) return 1 + tree + (common_root_ ? 1 : 0) + place.delay;
  if (common_root_) return 1 + tree + place.delay;
  if (place.delay == 0) return 0;
  return tree == 0 && place.top == 0 ? place.delay + 1 : tree == 0 ? place.delay - 1 : place.delay;
}

void TwoTrees::find(std::uint32_t tree, std::uint32_t i, bool scan, TreeNode& node) const {
  const std::uint32_t root = size_ == 1 ? 1 : process(tree, tree_.root());
  node.parent = scan ? kNobody : 0;
  node.first = scan ? 0 : 1 + tree;
  if (i == 0) {  // the source
    node.parent = kNobody;
    node.right = {common_root_ ? size_ : root, 1 + tree};
    return;
  }
  if (size_ == 1 || (i > even_ && common_root_)) node.holds_first = node.holds_last = true;
  if (size_ == 1) return;
  if (i > even_ && common_root_) {
    node.left = {root, scan ? 1 + tree : 2 + tree};
    return;
  }
  if (i > even_) {  // the extra leaf
    node.parent = tree == 0 ? even_ : 1;
    Place place = interior(tree, tree == 0 ? even_ : position(1, 1));
    place.delay += tree == 0 ? extra_leaf_delay(place) : extra_leaf_delay_in_t2(place);
    node.first = first(tree, place, scan);
    return;
  }

  const std::uint32_t own = position(tree, i), h = own % 2 != 0 ? 0 : trailing_zeros(own);
  // By position; without position 1, which a shift drops, 2 is the first.
  node.holds_first = (own & (own - 1)) == 0;
  node.holds_last = own > even_ || tree_.on_spine(own, h);
  if (tree == 1 && !shifting_) std::swap(node.holds_first, node.holds_last);
  node.holds_last = node.holds_last && !common_root_;
  if (h == 0) {
    const std::uint32_t parent = own > even_ ? even_ : tree_.parent(own, 0);
    Place place = interior(tree, parent);
    const std::uint32_t colour = leaf_colour(tree, own);
    place.delay += colour != place.colour ? 1 : 2;
    if (parent == tree_.root()) place.top = colour;
    node.parent = process(tree, parent);
    node.first = first(tree, place, scan);
    return;
  }
  const Place place = interior(tree, own);
  node.first = first(tree, place, scan);
  if (own != tree_.root()) {
    node.parent = process(tree, tree_.parent(own, h));
  } else if (common_root_) {
    node.parent = size_;
  }
  const bool by_shift = shifting_ && tree == 1;
  std::uint32_t left = InOrderTree::left(own, h), right = tree_.right(own, h);
  if (by_shift && left == 1) left = kNobody;
  if (by_shift && own == even_) right = even_ + 1;
  std::uint32_t left_delay = 0;
  if (left != kNobody) {
    left_delay = delay(tree, left, own, h, place);
  } else if (right != kNobody) {
    left_delay = 3 - delay(tree, right, own, h, place);
  }
  const auto child = [&](std::uint32_t position, std::uint32_t after) {
    if (position == kNobody) return TreeNode::Child{};
    Place below = place;
    below.delay += after;
    if (own == tree_.root()) below.top = after == 1 ? 0 : 1;  // the root's own colour is 1
    return TreeNode::Child{position, first(tree, below, scan)};
  };
  node.left = child(left, left_delay);
  node.right = child(right, 3 - left_delay);
  for (TreeNode::Child* c : {&node.left, &node.right}) {
    if (c->process != kNobody) c->process = process(tree, c->process);
  }
  if (tree == 1 && !shifting_) std::swap(node.left, node.right);
  if (!extra_leaf_) return;
  if (tree == 0 && i == even_) node.right = {size_, node.first + extra_leaf_delay(place)};
  if (tree == 1 && i == 1) node.left = {size_, node.first + extra_leaf_delay_in_t2(place)};
}

TreeSchedule TwoTrees::of(std::uint32_t i, bool scan) const {
  TreeSchedule schedule{2, 2, 0, {}};
  for (std::uint32_t tree = 0; tree < 2; ++tree) find(tree, i, scan, schedule.node[tree]);
  // The latest of all, as follows from the costs of the edges (docs/algorithms.md).
  const std::uint32_t h = ceil_log2(even_ + 2);
  if (size_ == 1) {
    schedule.last = scan ? 0 : 2;
  } else if (!scan || common_root_) {
    const bool longest = shifting_ ? even_ + 2 == std::uint32_t{1} << h : even_ % 4 != 0;
    schedule.last = 2 * h - (longest ? 0 : 1) + (common_root_ && !scan ? 1 : 0);
  } else {
    const bool longest = !shifting_ || detached_ || even_ == 2 || (even_ & tree_.root() >> 1) != 0;
    schedule.last = 2 * (h - 1) - (longest ? 0 : 1);
  }
  return schedule;
}

}  // namespace annelid::firmware
