#include "systemc/fabric/repeats.hpp"

#include <algorithm>

#include "systemc/kernel/router_kernel.hpp"

namespace annelid::systemc {
namespace {

// Flits of a stream are copied so many at a time: few enough for the processor's caches.
constexpr Cycle kMostRepeats = 1024 * kFlightCycles;

}  // namespace

bool Repeats::are_settled(std::span<RepeatingRouters* const> routers, Cycle now) {
  Cycle changed = 0;
  settling_ = kFlightCycles;
  for (const RepeatingRouters* const some : routers) {
    if (some == nullptr) {
      from_ = kNever;
      return false;
    }
    changed = std::max(changed, some->changed());
    settling_ = std::max(settling_, some->settling_cycles());
  }
  if (now <= changed + settling_) {
    from_ = changed + settling_ + 1;
    return false;
  }
  return true;
}

Cycle Repeats::execute(Schedule& schedule, Cycle now, Cycle limit, std::uint64_t moved) {
  const Cycle until = end_of_streams(schedule, now, limit);
  const Cycle cycles = (until - now) / kFlightCycles * kFlightCycles;  // for the activity maps
  if (cycles == 0 || streams_.starts.empty() || !paths_.follow(streams_, moved)) {
    from_ = now + settling_;
    return 0;
  }
  paths_.advance(cycles);
  schedule.for_each_due(now, [&](Clocked& component) { component.streamed(now, now + cycles); });
  return cycles;
}

/// The cycle until which components only go on with their streams, at least `now`.
Cycle Repeats::end_of_streams(Schedule& schedule, Cycle now, Cycle limit) {
  streams_ = {};
  if (limit <= now) return now;
  Cycle until = std::min({limit, schedule.next_planned(now), now + kMostRepeats});
  schedule.for_each_due(now, [&](Clocked& component) {
    until = std::min(until, component.streams_until(now, streams_));
  });
  return std::max(until, now);
}

}  // namespace annelid::systemc
