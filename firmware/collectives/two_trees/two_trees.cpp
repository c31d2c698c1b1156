#include "firmware/collectives/two_trees/two_trees.hpp"

#include <utility>

namespace annelid::firmware {
namespace {

/// The ones of a number in binary.
std::uint32_t ones_of(std::uint32_t bits) {
  std::uint32_t ones = 0;
  for (; bits != 0; bits &= bits - 1) ++ones;
  return ones;
}

/// A multiple of 4 with an even number of ones.
bool is_detached(std::uint32_t q) { return q != 0 && q % 4 == 0 && ones_of(q) % 2 == 0; }

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

/// Whether the edge into an interior position and that into its parent have different colours.
/// Then it costs one step, else two.
inline bool TwoTrees::differs(std::uint32_t tree, std::uint32_t position,
                              std::uint32_t parent) const {
  const bool above = parent > position;
  if (!shifting_) return above ^ ((even_ & 2) != 0);
  if (tree == 1) return above;
  return above ^ !(detached_ && tree_.leads_to_last(parent));
}

TwoTrees::Place TwoTrees::interior(std::uint32_t tree, std::uint32_t position) const {
  if (position == tree_.root()) return {1, 0, 1};
  if (detached_ && tree == 0) return detached_interior(position);
  // The path to the root goes through the bits of the position, from its span on: an edge down to a
  // lower parent for each other one, and an edge up for each zero up to the bit in which the last
  // position differs.
  std::uint32_t zeros = position ^ even_;
  for (std::uint32_t bits = 1; bits <= 16; bits *= 2) zeros |= zeros >> bits;
  zeros &= ~(position | (2 * InOrderTree::span(position) - 1));
  const std::uint32_t ups = ones_of(zeros), downs = ones_of(position) - 1;
  const bool up_differs = differs(tree, position, position + 1);
  const std::uint32_t differ = up_differs ? ups : downs, same = ups + downs - differ;
  const bool top_differs = (position < tree_.root()) == up_differs;
  return {1 ^ (differ & 1), differ + 2 * same, top_differs ? 0U : 1U};
}

TwoTrees::Place TwoTrees::detached_interior(std::uint32_t position) const {
  Place place{1, 0, 1};
  while (position != tree_.root()) {
    const std::uint32_t parent = tree_.parent(position);
    const std::uint32_t differ = differs(0, position, parent) ? 1 : 0;
    place.colour ^= differ;
    place.delay += 2 - differ;
    place.top = 1 ^ differ;
    position = parent;
  }
  return place;
}

/// The colour of an interior place, whose delay nobody asks for.
std::uint32_t TwoTrees::colour(std::uint32_t tree, std::uint32_t position) const {
  if (detached_ && tree == 0) return interior(tree, position).colour;
  if (position == tree_.root()) return 1;
  std::uint32_t zeros = position ^ even_;
  for (std::uint32_t bits = 1; bits <= 16; bits *= 2) zeros |= zeros >> bits;
  zeros &= ~(position | (2 * InOrderTree::span(position) - 1));
  // The parity of the edges up, or of those down, one of which is no bit of the position.
  std::uint32_t odd = position & (position - 1);
  if (differs(tree, position, position + 1)) odd = zeros;
  for (std::uint32_t bits = 16; bits != 0; bits /= 2) odd ^= odd >> bits;
  return 1 ^ (odd & 1);
}

/// The colour of the edge into a leaf: not that of the edge into the same process in the other
/// tree, where it is interior. (Colours are counted from the root's, so these two are the same.)
std::uint32_t TwoTrees::leaf_colour(std::uint32_t tree, std::uint32_t leaf) const {
  return colour(1 - tree, position(1 - tree, process(tree, leaf)));
}

/// Steps from an interior position's first packet to that of a child: one and two for its children.
std::uint32_t TwoTrees::delay(std::uint32_t tree, std::uint32_t child, std::uint32_t parent,
                              std::uint32_t parent_colour) const {
  const bool differ =
      child % 2 == 0 ? differs(tree, child, parent) : leaf_colour(tree, child) != parent_colour;
  return differ ? 1 : 2;
}

/// The extra leaf's delay in T1: other than its sibling's, the left child of the last process.
std::uint32_t TwoTrees::extra_leaf_delay(std::uint32_t parent_colour) const {
  return 3 - delay(0, InOrderTree::left(even_), even_, parent_colour);
}
/// In T2: what its colour in T1 leaves.
std::uint32_t TwoTrees::extra_leaf_delay_in_t2(const Place& parent) const {
  const std::uint32_t last = colour(0, even_);
  const std::uint32_t own = extra_leaf_delay(last) == 1 ? 1 ^ last : last;
  return own != parent.colour ? 1 : 2;
}

std::uint32_t TwoTrees::first(std::uint32_t tree, const Place& place, bool scan) const {
  if (!scan) return 1 + tree + (common_root_ ? 1 : 0) + place.delay;
  if (common_root_) return 1 + tree + place.delay;
  if (place.delay == 0) return 0;
  return tree == 0 && place.top == 0 ? place.delay + 1 : tree == 0 ? place.delay - 1 : place.delay;
}

/// The source, and who is not in the trees by their construction.
void TwoTrees::find_special(std::uint32_t tree, std::uint32_t i, bool scan, TreeNode& node) const {
  const std::uint32_t root = size_ == 1 ? 1 : process(tree, tree_.root());
  if (i == 0) {
    node.right = {common_root_ ? size_ : root, 1 + tree};
    return;
  }
  if (extra_leaf_) {
    node.parent = tree == 0 ? even_ : 1;
    Place place = interior(tree, tree == 0 ? even_ : position(1, 1));
    place.delay += tree == 0 ? extra_leaf_delay(place.colour) : extra_leaf_delay_in_t2(place);
    node.first = first(tree, place, scan);
    return;
  }
  // The root of both trees.
  node.parent = scan ? kNobody : 0;
  node.first = scan ? 0 : 1 + tree;
  node.holds_first = node.holds_last = true;
  if (size_ > 1) node.left = {root, scan ? 1 + tree : 2 + tree};
}

void TwoTrees::find_ends(std::uint32_t tree, std::uint32_t position, TreeNode& node) const {
  // By position; without position 1, which a shift drops, 2 is the first.
  node.holds_first = InOrderTree::leads_to_first(position);
  node.holds_last = position > even_ || tree_.leads_to_last(position);
  if (tree == 1 && !shifting_) std::swap(node.holds_first, node.holds_last);
  if (common_root_) node.holds_last = false;
}

void TwoTrees::find_leaf(std::uint32_t tree, std::uint32_t i, std::uint32_t colour, bool scan,
                         TreeNode& node) const {
  const std::uint32_t own = position(tree, i), parent = own > even_ ? even_ : tree_.parent(own);
  Place place = interior(tree, parent);
  place.delay += colour != place.colour ? 1 : 2;
  if (parent == tree_.root()) place.top = colour;
  node.parent = process(tree, parent);
  node.first = first(tree, place, scan);
  find_ends(tree, own, node);
}

void TwoTrees::find_interior(std::uint32_t tree, std::uint32_t i, const Place& place, bool scan,
                             TreeNode& node) const {
  const std::uint32_t own = position(tree, i);
  find_ends(tree, own, node);
  node.first = first(tree, place, scan);
  if (own != tree_.root()) {
    node.parent = process(tree, tree_.parent(own));
  } else if (common_root_) {
    node.parent = size_;
  } else if (!scan) {
    node.parent = 0;
  }
  const bool by_shift = shifting_ && tree == 1;
  std::uint32_t left = InOrderTree::left(own), right = tree_.right(own), left_delay = 0;
  if (by_shift && left == 1) left = kNobody;
  if (by_shift && own == even_) right = even_ + 1;
  if (left != kNobody) {
    left_delay = delay(tree, left, own, place.colour);
  } else if (right != kNobody) {
    left_delay = 3 - delay(tree, right, own, place.colour);
  }
  const auto child = [&](std::uint32_t position, std::uint32_t after) {
    if (position == kNobody) return TreeNode::Child{};
    Place below = place;
    below.delay += after;
    if (own == tree_.root()) below.top = after == 1 ? 0 : 1;  // the root's own colour is 1
    return TreeNode::Child{process(tree, position), first(tree, below, scan)};
  };
  node.left = child(left, left_delay);
  node.right = child(right, 3 - left_delay);
  if (tree == 1 && !shifting_) std::swap(node.left, node.right);
  if (!extra_leaf_) return;
  if (tree == 0 && i == even_) node.right = {size_, node.first + extra_leaf_delay(place.colour)};
  if (tree == 1 && i == 1) node.left = {size_, node.first + extra_leaf_delay_in_t2(place)};
}

TreeSchedule TwoTrees::of(std::uint32_t i, bool scan) const {
  TreeSchedule schedule{2, 2, 0, {}};
  if (i == 0 || i > even_) {
    for (std::uint32_t tree = 0; tree < 2; ++tree) find_special(tree, i, scan, schedule.node[tree]);
  } else {
    const std::uint32_t tree = i % 2;  // in which its position is even
    const Place place = interior(tree, position(tree, i));
    find_interior(tree, i, place, scan, schedule.node[tree]);
    // "The color of the other incoming edge will be 1 - c": counted from the roots', the same.
    find_leaf(1 - tree, i, place.colour, scan, schedule.node[1 - tree]);
  }
  // The latest of all, as follows from the costs of the edges
  // (docs/internals/algorithms/two-trees.md).
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
