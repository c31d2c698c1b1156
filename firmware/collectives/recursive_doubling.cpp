#include "firmware/collectives/recursive_doubling.hpp"

namespace annelid::firmware::recursive_doubling {

bool fits(Size size) {
  return 1 <= size.x && size.x <= 256 && 1 <= size.y && size.y <= 256 && size.z == 1;
}

BroadcastPlan plan(Address self, Size size, Address root) {
  // x counts first: in this order messages of a step do not meet if x is routed before y.
  const auto place_of = [&](Address a) { return a.x * size.y + a.y; };
  const auto address_at = [&](int place) {
    return Address{static_cast<std::uint8_t>(place / size.y),
                   static_cast<std::uint8_t>(place % size.y)};
  };

  BroadcastPlan plan;
  const int own = place_of(self);
  int holder = place_of(root);
  // The segment that holds this node, halved in every step until it is this node alone.
  int first = 0, length = size.x * size.y;
  for (int step = 1; length > 1; ++step) {
    const int lower = (length + 1) / 2, upper = first + lower;
    const int receiver = holder < upper ? upper : upper - 1;
    if (own == holder) plan.add(step, address_at(receiver));
    if (own == receiver) {
      plan.parent = address_at(holder);
      plan.receive_step = step;
    }
    if ((own < upper) != (holder < upper)) holder = receiver;  // of the half that holds this node
    if (own < upper) {
      length = lower;
    } else {
      first = upper;
      length -= lower;
    }
  }
  return plan;
}

Task broadcast(Node& node, const Call& call) { return broadcast_by(node, call, plan); }

}  // namespace annelid::firmware::recursive_doubling
