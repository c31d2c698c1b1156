// Scan and exscan on one tree, the way up and the way down at the same time:
// docs/internals/algorithms/by-rank.md, "Doubly pipelined"; Sanders and Träff 2006. PARAMETER_1:
// packets, or 0: by the block's length.
#include "firmware/collectives/pipelines/ranked_scan.hpp"

namespace annelid::firmware::doubly_pipelined {
namespace {

/// Every third step belongs to an edge: a left child's is the one after its parent's, a right
/// child's the one after that. Steps are written as any number of the colour.
constexpr std::uint32_t kToLeft = 1, kToRight = 2, kPeriod = 3;
std::uint32_t modulo3(std::uint32_t colour) { return colour < 3 ? colour : colour - 3; }

/// The first step of an edge of this colour whose lower end is a leaf.
std::uint32_t leaf_up(std::uint32_t colour) { return colour == 0 ? kPeriod : colour; }
/// ... whose lower end waits for its children, who send in these steps, 0: there is none. They
/// have the colours after this one, so the next step of this one is two or one later.
std::uint32_t up_after(std::uint32_t left, std::uint32_t right) {
  return left > right ? left + 2 : right + 1;
}

/// Steps up of the complete subtrees, by height and colour of the edge above.
class CompleteTrees {
 public:
  explicit CompleteTrees(std::uint32_t height) {
    for (std::uint32_t c = 0; c < 3; ++c) up_[0][c] = leaf_up(c);
    for (std::uint32_t h = 1; h <= height; ++h) {
      for (std::uint32_t c = 0; c < 3; ++c)
        up_[h][c] = up_after(up_[h - 1][modulo3(c + kToLeft)], up_[h - 1][modulo3(c + kToRight)]);
    }
  }
  [[nodiscard]] std::uint32_t up(std::uint32_t height, std::uint32_t colour) const {
    return up_[height][colour];
  }

 private:
  static constexpr std::uint32_t kMost = 25;  // heights, of up to 2^24 processes
  std::uint32_t up_[kMost][3];
};

ScanNode find(const InOrderTree& tree, std::uint32_t own) {
  // From the root to this process: colour and delay.
  std::uint32_t colour = 0, delay = 0;
  const std::uint32_t own_height = floor_log2(InOrderTree::span(own));
  for (std::uint32_t i = own; i != tree.root();) {
    const std::uint32_t parent = tree.parent(i), way = parent > i ? kToLeft : kToRight;
    delay += way;
    colour = modulo3(colour + way);
    i = parent;
  }
  // Subtrees are complete but those on the way to the last process, whose steps up follow from the
  // last one's backwards.
  const CompleteTrees complete(floor_log2(tree.root()));
  std::uint32_t up = 0, right_up = 0, root_up = 0;
  const bool on_spine = tree.leads_to_last(own);
  std::uint32_t spine_colour = 0;
  for (std::uint32_t rest = tree.size() & (tree.size() - 1); rest != 0; rest &= rest - 1)
    spine_colour = modulo3(spine_colour + kToRight);
  for (std::uint32_t i = tree.size(); i != 0; i &= i - 1) {
    const std::uint32_t h = floor_log2(InOrderTree::span(i)), below = root_up;
    root_up = h == 0 ? leaf_up(spine_colour)
                     : up_after(complete.up(h - 1, modulo3(spine_colour + kToLeft)), below);
    if (i == own) {
      up = root_up;
      right_up = below;
    }
    spine_colour = modulo3(spine_colour + 3 - kToRight);
  }
  if (!on_spine) up = complete.up(own_height, colour);

  ScanNode node;
  const std::uint32_t down = root_up + delay;
  node.parent = {own == tree.root() ? kNobody : tree.parent(own), up, down};
  node.holds_first = InOrderTree::leads_to_first(own);
  node.holds_last = on_spine;
  if (own_height == 0) return node;
  const std::uint32_t below = own_height - 1;
  node.left = {InOrderTree::left(own), complete.up(below, modulo3(colour + kToLeft)),
               down + kToLeft};
  const std::uint32_t right = tree.right(own);
  if (right == kNobody) return node;
  if (!on_spine) right_up = complete.up(below, modulo3(colour + kToRight));
  node.right = {right, right_up, down + kToRight};
  return node;
}

}  // namespace

CallResult check(const Context& me) { return check_ranked(me, kPacketBits, true); }

Task run(Context& me) {
  auto& part = me.make<ScanPart>(me);
  auto& [self, schedule, packets] = part;
  const std::uint32_t size = self.size();
  schedule.trees = size > 1 ? 1 : 0;
  schedule.period = kPeriod;
  if (size > 1 && self.member()) schedule.node[0] = find(InOrderTree(size), self.relative() + 1);
  packets = packets_of(me.call(), 4 * ceil_log2(size), 600);
  return play_scan(me, part);
}

}  // namespace annelid::firmware::doubly_pipelined
