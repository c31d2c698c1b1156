#include "simulation/results/step_waits.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace annelid::simulation {
namespace {

/// One message at the port that injects it. A port injects one message at a time, so those of a
/// step do not overlap.
struct Injection {
  NodeId node = 0;
  Port port = 0;
  Cycle start = 0, end = 0;  ///< [start, end)
  Cycle posted = 0;
  Cycle busy_before = 0;  ///< cycles of the port's earlier ones in the step

  [[nodiscard]] bool is_beside(const Injection& other) const {
    return node == other.node && port == other.port;
  }
};

/// Finds the injections of a step, by node and port, in the order in which they begin.
void find_injections(const std::vector<nic::MessageRecord>& messages, const StepMessages& step,
                     std::vector<Injection>& found) {
  found.clear();
  for (const std::uint32_t place : step.places) {
    const nic::MessageRecord& m = messages[place];
    if (m.sent == kNever) continue;
    found.push_back({m.info.source, m.local, m.started, m.sent + 1, m.posted, 0});
  }
  const auto before = [](const Injection& a, const Injection& b) {
    if (a.node != b.node) return a.node < b.node;
    return a.port != b.port ? a.port < b.port : a.start < b.start;
  };
  // Messages are sorted by their nodes, and most nodes send one.
  if (!std::is_sorted(found.begin(), found.end(), before)) std::ranges::sort(found, before);
}

/// Cycles in which messages of one port and step waited for earlier ones of them.
Cycle waits_of(std::span<Injection> injections) {
  Cycle busy = 0, waits = 0;
  for (Injection& own : injections) {
    own.busy_before = busy;
    busy += own.end - own.start;
    const auto earlier = injections.first(static_cast<std::size_t>(&own - injections.data()));
    const auto first = std::ranges::upper_bound(earlier, own.posted, {}, &Injection::end);
    if (first == earlier.end()) continue;
    const Cycle cut = own.posted > first->start ? own.posted - first->start : 0;
    waits += own.busy_before - first->busy_before - cut;
  }
  return waits;
}

}  // namespace

std::map<std::uint32_t, std::uint64_t> injection_waits(const CallMessages& messages) {
  std::map<std::uint32_t, std::uint64_t> waits;
  std::vector<Injection> all;
  for (const StepMessages& step : messages.by_step.steps()) {
    find_injections(messages.all, step, all);
    if (all.empty()) continue;
    Cycle& of_step = waits[step.step];
    for (auto begin = all.begin(); begin != all.end();) {
      const auto end = std::find_if_not(
          begin, all.end(), [&](const Injection& other) { return other.is_beside(*begin); });
      if (end - begin > 1) of_step += waits_of({begin, end});
      begin = end;
    }
  }
  return waits;
}

}  // namespace annelid::simulation
