#include "simulation/results/firmware_cycles.hpp"

#include <algorithm>

namespace annelid::simulation {
namespace {

/// Something that happened at a node.
struct Event {
  NodeId node = 0;
  Cycle at = 0;
  bool posted = false;  // else a message's last flit came
};

std::vector<Event> events_of(const std::vector<nic::MessageRecord>& messages) {
  std::vector<Event> events;
  for (const nic::MessageRecord& m : messages) {
    if (m.info.source == m.info.destination) continue;
    if (m.posted != kNever) events.push_back({m.info.source, m.posted, true});
    // A record's `received` is the cycle after the last flit's.
    if (m.received != kNever) events.push_back({m.info.destination, m.received - 1, false});
  }
  std::ranges::sort(events, [](const Event& a, const Event& b) {
    if (a.node != b.node) return a.node < b.node;
    return a.at != b.at ? a.at < b.at : a.posted < b.posted;
  });
  return events;
}

}  // namespace

void CycleRange::add(Cycle cycles) {
  least = cases == 0 ? cycles : std::min(least, cycles);
  most = std::max(most, cycles);
  sum += cycles;
  ++cases;
}

double CycleRange::mean() const {
  return cases == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(cases);
}

FirmwareCycles firmware_cycles(const std::vector<nic::MessageRecord>& messages,
                               const std::vector<Cycle>& called) {
  FirmwareCycles result;
  const std::vector<Event> events = events_of(messages);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (!event.posted) continue;
    const bool first = i == 0 || events[i - 1].node != event.node;
    if (first) {
      result.call_to_send.add(event.at - called[event.node]);
    } else if (!events[i - 1].posted) {
      result.receive_to_send.add(event.at - events[i - 1].at);
    }
  }
  return result;
}

}  // namespace annelid::simulation
