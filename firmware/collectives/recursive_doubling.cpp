#include "firmware/collectives/recursive_doubling.hpp"

namespace annelid::firmware::recursive_doubling {
namespace {

/// A process's place in the list that is halved.
std::uint32_t place_of(const Group& group, std::uint32_t rank) {
  if (!group.is_all()) return rank;
  const Topology& network = group.topology();
  const Address a = rank == group.rank() ? network.self() : network.address(rank);
  return (a.x * network.y().value() + a.y) * network.z().value() + a.z;
}
Address address_at(const Group& group, std::uint32_t place) {
  if (!group.is_all()) return group.address(place);
  const Topology& network = group.topology();
  const std::uint32_t column = network.z().quotient(place), x = network.y().quotient(column);
  return {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(column - x * network.y().value()),
          static_cast<std::uint8_t>(place - column * network.z().value())};
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

}  // namespace

void find_parent(const Group& group, std::uint32_t root, BroadcastPlan& plan) {
  Walk walk{0, group.size(), place_of(group, root), 0};
  std::uint32_t from = 0, to = 0;
  if (group.rank() != root && next_message(walk, place_of(group, group.rank()), from, to)) {
    plan.parent = address_at(group, from);
    plan.receive_step = static_cast<int>(walk.step);
  }
  plan.state = {walk.first, walk.length, walk.holder, walk.step};
}

bool next_step(const Group& group, std::uint32_t, BroadcastPlan& plan) {
  Walk walk{plan.state[0], plan.state[1], plan.state[2], plan.state[3]};
  std::uint32_t from = 0, to = 0;
  plan.clear();
  if (!next_message(walk, place_of(group, group.rank()), from, to)) return false;
  plan.step = static_cast<int>(walk.step);
  plan.add(address_at(group, to));
  plan.state = {walk.first, walk.length, walk.holder, walk.step};
  return true;
}

CallResult check(const Context& me) { return check_broadcast_call(me); }
Task run(Context& me) { return broadcast_by(me, kRule); }

}  // namespace annelid::firmware::recursive_doubling
