#include "timeline/stall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "systemc/network/route.hpp"

namespace annelid::timeline {
namespace {

constexpr Cycle kLeastStandstill = 10;

/// The packet of this head that is still under way.
JourneyId journey_of(const RecordedRun& run, const systemc::HeadFields& head) {
  const auto found = std::ranges::find_if(
      run.journeys, [&](const Journey& j) { return !j.arrived && j.info.head == head; });
  if (found == run.journeys.end()) return kNobody;
  return static_cast<JourneyId>(std::distance(run.journeys.begin(), found));
}

bool wants_channel(const systemc::Wait& wait) {
  using For = systemc::Wait::For;
  return wait.what == For::kVc || wait.what == For::kRoom || wait.what == For::kNicDrain;
}

}  // namespace

void add_stall(RecordedRun& run, const systemc::StallReport& report) {
  for (const systemc::Wait& wait : report.waits) {
    if (!wait.packet || !wants_channel(wait)) continue;
    const JourneyId packet = journey_of(run, *wait.packet);
    if (packet == kNobody) continue;
    // A packet whose flits fill several buffers waits in all of them; its head is in the last one.
    std::vector<Stop>& stops = run.stall.stops;
    if (!stops.empty() && stops.back().packet == packet) stops.pop_back();
    stops.push_back({packet, wait.waiting.node, wait.output});
  }
  std::vector<Stop>& stops = run.stall.stops;
  if (stops.empty()) return;
  if (report.cycle && stops.size() > 1 && stops.front().packet == stops.back().packet) {
    stops.pop_back();
  }
  run.stall.circle = report.cycle;
  run.stall.since = run.end;
  run.end += std::max(kLeastStandstill, (run.end - run.begin) / 5);
}

std::string describe(const RecordedRun& run, const Stop& stop) {
  const systemc::NetworkConfig& network = run.network;
  const Journey& j = run.journeys[stop.packet];
  return fmt::format("#{} {} → {} waits at {} for {}", j.number_text(),
                     node_name(network.router, j.info.head.source),
                     node_name(network.router, j.info.head.destination),
                     node_name(network.router, network.address(stop.node)),
                     channel_name(network.router, stop.wanted));
}

}  // namespace annelid::timeline
