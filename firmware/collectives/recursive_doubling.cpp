#include "firmware/collectives/recursive_doubling.hpp"

namespace annelid::firmware::recursive_doubling {
namespace {

/// A node's place in the list that is halved.
std::uint32_t place_of(const Frame& frame, Address node) {
  if (!frame.is_network()) return node.word();
  return (node.x * frame.y().value() + node.y) * frame.z().value() + node.z;
}
Address node_at(const Frame& frame, std::uint32_t place) {
  if (!frame.is_network()) return Address::from_word(place);
  const std::uint32_t column = frame.z().quotient(place), x = frame.y().quotient(column);
  return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(column - x * frame.y().value()),
          static_cast<std::uint8_t>(place - column * frame.z().value())};
}

/// The segment that holds this process, who has the message in it (places), and the steps done.
struct Walk {
  std::uint32_t first, length, holder, step;
};

/// Halves the segment until this process receives or sends: the places of the two, or false if it
/// is alone before that.
[[gnu::always_inline]] inline bool next_message(Walk& walk, std::uint32_t own, std::uint32_t& from,
                                                std::uint32_t& to) {
  while (walk.length > 1) {
    ++walk.step;
    const std::uint32_t lower = (walk.length + 1) / 2, upper = walk.first + lower;
    from = walk.holder;
    to = from < upper ? upper : upper - 1;
    if ((own < upper) != (from < upper)) walk.holder = to;  // of the half that holds this process
    if (own < upper) {
      walk.length = lower;
    } else {
      walk.first = upper;
      walk.length -= lower;
    }
    if (own == from || own == to) return true;
  }
  return false;
}

Walk walk_of(const Frame& frame) { return {0, frame.nodes(), place_of(frame, frame.root()), 0}; }

bool fits(Frame&) { return true; }

int steps(const Frame& frame) {
  int steps = 0;
  while (frame.nodes() > std::uint32_t{1} << steps) ++steps;
  return steps;
}

void find_parent(const Frame& frame, Address node, TreePlan& plan) {
  Walk walk = walk_of(frame);
  std::uint32_t from = 0, to = 0;
  plan.receive_step = 0;
  if (node != frame.root() && next_message(walk, place_of(frame, node), from, to)) {
    plan.parent = node_at(frame, from);
    plan.receive_step = static_cast<int>(walk.step);
  }
  plan.state = {walk.first, walk.length, walk.holder, walk.step};
}

bool next_step(const Frame& frame, Address node, TreePlan& plan) {
  Walk walk{plan.state[0], plan.state[1], plan.state[2], plan.state[3]};
  std::uint32_t from = 0, to = 0;
  plan.clear();
  if (!next_message(walk, place_of(frame, node), from, to)) return false;
  plan.step = static_cast<int>(walk.step);
  plan.add(node_at(frame, to));
  plan.state = {walk.first, walk.length, walk.holder, walk.step};
  return true;
}

/// The segment that the node is the first to hold.
std::uint32_t subtree(const Frame& frame, Address node) {
  Walk walk = walk_of(frame);
  std::uint32_t from = 0, to = 0;
  if (node != frame.root()) next_message(walk, place_of(frame, node), from, to);
  return walk.length;
}

}  // namespace

const TreeRule kRule{fits, steps, find_parent, next_step, subtree};

}  // namespace annelid::firmware::recursive_doubling
