#include "simulation/results/firmware_cycles.hpp"

#include <algorithm>

namespace annelid::simulation {
namespace {

/// What happened at one node, in its order: each cycle twice, and one more if a message was posted
/// in it. Else a message's last flit came.
using Events = std::vector<Cycle>;

constexpr Cycle kPosted = 1;

std::vector<Events> events_of(const std::vector<nic::MessageRecord>& messages, std::size_t nodes) {
  std::vector<Events> events(nodes);
  for (const nic::MessageRecord& m : messages) {
    if (m.info.source == m.info.destination) continue;
    if (m.posted != kNever) events[m.info.source].push_back(2 * m.posted + kPosted);
    // A record's `received` is the cycle after the last flit's.
    if (m.received != kNever) events[m.info.destination].push_back(2 * (m.received - 1));
  }
  for (Events& of_node : events) std::ranges::sort(of_node);
  return events;
}

}  // namespace

void CycleRange::add(Cycle cycles) {
  least = cases == 0 ? cycles : std::min(least, cycles);
  most = std::max(most, cycles);
  sum += cycles;
  ++cases;
}

std::optional<double> CycleRange::mean() const {
  if (cases == 0) return std::nullopt;
  return static_cast<double>(sum) / static_cast<double>(cases);
}

FirmwareCycles firmware_cycles(const std::vector<nic::MessageRecord>& messages,
                               const std::vector<Cycle>& called) {
  FirmwareCycles result;
  const std::vector<Events> all = events_of(messages, called.size());
  for (std::size_t node = 0; node < all.size(); ++node) {
    const Events& events = all[node];
    for (std::size_t i = 0; i < events.size(); ++i) {
      if ((events[i] & kPosted) == 0) continue;
      const Cycle at = events[i] / 2;
      if (i == 0) {
        result.call_to_send.add(at - called[node]);
      } else if ((events[i - 1] & kPosted) == 0) {
        result.receive_to_send.add(at - events[i - 1] / 2);
      }
    }
  }
  return result;
}

}  // namespace annelid::simulation
