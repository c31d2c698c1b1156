#include "firmware/collectives/trees/recursive_doubling.hpp"

#include "firmware/collectives/trees/halving.hpp"

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

Halving halving_of(const Frame& frame) {
  return Halving::of_line(frame.nodes(), place_of(frame, frame.root()));
}

bool fits(Frame&) { return true; }

int steps(const Frame& frame) {
  int steps = 0;
  while (frame.nodes() > std::uint32_t{1} << steps) ++steps;
  return steps;
}

void find_parent(const Frame& frame, Address node, TreePlan& plan) {
  Halving halving = halving_of(frame);
  Halving::Message message;
  plan.receive_step = 0;
  if (node != frame.root() && halving.next(place_of(frame, node), message)) {
    plan.parent = node_at(frame, message.from);
    plan.receive_step = static_cast<int>(halving.step);
  }
  plan.state = halving.words();
}

bool next_step(const Frame& frame, Address node, TreePlan& plan) {
  Halving halving = Halving::from_words(plan.state);
  Halving::Message message;
  plan.clear();
  if (!halving.next(place_of(frame, node), message)) return false;
  plan.step = static_cast<int>(halving.step);
  plan.append(node_at(frame, message.to));
  plan.state = halving.words();
  return true;
}

/// The segment that the node is the first to hold.
std::uint32_t subtree(const Frame& frame, Address node) {
  Halving halving = halving_of(frame);
  Halving::Message message;
  if (node != frame.root()) halving.next(place_of(frame, node), message);
  return halving.length;
}

}  // namespace

const TreeRule kRule{fits, steps, find_parent, next_step, subtree};

}  // namespace annelid::firmware::recursive_doubling
