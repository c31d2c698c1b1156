// The list that is halved has a place for each column and each four rows: the dominating node of
// column x in the block of rows 4j .. 4j + 3 has the place x · (size_y / 4) + j.
#include "firmware/collectives/trees/single_level.hpp"

#include "firmware/collectives/trees/halving.hpp"

namespace annelid::firmware::single_level {
namespace {

/// The dominating node of a block's column, by x modulo 4.
constexpr int row_of(int x) {
  constexpr std::uint8_t kRows[] = {2, 0, 3, 1};
  return kRows[x & 3];
}
Address dominating(int x, int block_row) {
  return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(4 * block_row + row_of(x))};
}
bool dominates(Address a) { return (a.y & 3) == row_of(a.x); }
/// The dominating node in the node's column of its block.
Address in_column(Address a) { return dominating(a.x, a.y >> 2); }

/// The neighbour that dominates a node that does not: just one, in its block.
[[gnu::noinline]] Address neighbour(Address node) {
  Address result = node;
  for (const int d : {-1, 1}) {
    const int x = node.x + d, y = node.y + d;
    if (((x ^ node.x) & ~3) == 0 && (node.y & 3) == row_of(x))
      result.x = static_cast<std::uint8_t>(x);
    if (((y ^ node.y) & ~3) == 0 && (y & 3) == row_of(node.x))
      result.y = static_cast<std::uint8_t>(y);
  }
  return result;
}

std::uint32_t place_of(const Frame& frame, Address node) {
  return node.x * (frame.y().value() >> 2) + (node.y >> 2);
}
[[gnu::noinline]] Address node_at(const Frame& frame, std::uint32_t place) {
  const std::uint32_t rows = frame.y().value() >> 2;
  const std::uint32_t x = frame.y().quotient(4 * place);
  return dominating(static_cast<int>(x), static_cast<int>(place - x * rows));
}

Halving begin(const Frame& frame) {
  return Halving::of_line(frame.nodes() / 4, place_of(frame, frame.root()));
}

bool fits(Frame& frame) {
  const Size size = frame.size();
  return frame.is_network() && !frame.has_rings() && size.z == 1 && size.x % 4 == 0 &&
         size.y % 4 == 0;
}

int doubling_steps(const Frame& frame) {
  int steps = 0;
  while (frame.nodes() / 4 > std::uint32_t{1} << steps) ++steps;
  return steps;
}
int steps(const Frame& frame) { return doubling_steps(frame) + 1; }

/// Whether the source sends the first message of the dominating node that stands for it.
bool source_stands_in(const Frame& frame) { return !dominates(frame.root()); }

// What the rule keeps in the plan: the halving; step has bit 31 set when only the last step is
// left.
constexpr std::uint32_t kLast = std::uint32_t{1} << 31;

void find_parent(const Frame& frame, Address node, TreePlan& plan) {
  Halving halving = begin(frame);
  const Address source = frame.root(), stands_in = in_column(source);
  Halving::Message message;
  plan.receive_step = 0;
  if (node == source) {
    // Nothing to receive; a source that does not dominate has step 1 only.
  } else if (!dominates(node)) {
    halving.step = kLast;
    plan.receive_step = steps(frame);
    plan.parent = neighbour(node);
  } else if (node == stands_in) {
    plan.parent = source;
    plan.receive_step = 1;
    halving.next(place_of(frame, node), message);  // which the source sends
  } else {
    halving.next(place_of(frame, node), message);
    plan.parent = halving.step == 1 ? source : node_at(frame, message.from);
    plan.receive_step = static_cast<int>(halving.step);
  }
  plan.state = halving.words();
}

bool next_step(const Frame& frame, Address node, TreePlan& plan) {
  Halving halving = Halving::from_words(plan.state);
  plan.clear();
  if ((halving.step & kLast) != 0) return false;
  const Address source = frame.root();
  Halving::Message message;
  if (halving.next(place_of(frame, node), message)) {
    plan.step = static_cast<int>(halving.step);
    plan.add(node_at(frame, message.to));
    if (node == source && source_stands_in(frame)) {
      plan.add(in_column(source));
      halving.step = kLast;
    }
    plan.state = halving.words();
    return true;
  }
  plan.state[3] = kLast;
  plan.step = steps(frame);
  const auto add = [&](int x, int y) {
    const Address to_node{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
    if ((((x ^ node.x) | (y ^ node.y)) & ~3) == 0 && !(to_node == source)) plan.add(to_node);
  };
  add(node.x - 1, node.y);
  add(node.x + 1, node.y);
  add(node.x, node.y - 1);
  add(node.x, node.y + 1);
  return !plan.sends().empty();
}

/// Four nodes for each place of the segment that the node is the first to hold; the source is
/// nobody's.
std::uint32_t subtree(const Frame& frame, Address node) {
  const Address source = frame.root();
  if (node == source) return frame.nodes();
  if (!dominates(node)) return 1;
  Halving halving = begin(frame);
  Halving::Message message;
  halving.next(place_of(frame, node), message);
  if (dominates(source)) return 4 * halving.length;
  const std::uint32_t near_source = place_of(frame, neighbour(source)) - halving.first;
  return 4 * halving.length - (near_source < halving.length ? 1 : 0);
}

}  // namespace

const TreeRule kRule{fits, steps, find_parent, next_step, subtree};

}  // namespace annelid::firmware::single_level
