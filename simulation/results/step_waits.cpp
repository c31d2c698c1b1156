#include "simulation/results/step_waits.hpp"

#include <algorithm>
#include <tuple>

namespace annelid::simulation {
namespace {

/// A port injects one message at a time, so those of a step do not overlap.
struct Injection {
  Cycle start = 0, end = 0;  ///< [start, end)
  Cycle busy_before = 0;     ///< cycles of those before it
};

}  // namespace

std::map<std::uint32_t, std::uint64_t> injection_waits(
    const std::vector<nic::MessageRecord>& messages) {
  std::map<std::tuple<NodeId, Port, std::uint32_t>, std::vector<Injection>> ports;
  const auto key = [](const nic::MessageRecord& m) {
    return std::tuple(m.info.source, m.local, m.info.step);
  };
  const auto is_injected = [](const nic::MessageRecord& m) {
    return m.info.source != m.info.destination && m.sent != kNever;
  };
  for (const nic::MessageRecord& m : messages) {
    if (is_injected(m)) ports[key(m)].push_back({m.started, m.sent + 1, 0});
  }
  for (auto& [port, list] : ports) {
    std::ranges::sort(list, {}, &Injection::start);
    Cycle busy = 0;
    for (Injection& i : list) {
      i.busy_before = busy;
      busy += i.end - i.start;
    }
  }
  std::map<std::uint32_t, std::uint64_t> waits;
  for (const nic::MessageRecord& m : messages) {
    if (!is_injected(m)) continue;
    const auto& list = ports[key(m)];
    const auto own = std::ranges::lower_bound(list, m.started, {}, &Injection::start);
    const auto first = std::ranges::upper_bound(list, m.posted, {}, &Injection::end);
    std::uint64_t& wait = waits[m.info.step];
    if (first >= own) continue;
    const Cycle cut = m.posted > first->start ? m.posted - first->start : 0;
    wait += own->busy_before - first->busy_before - cut;
  }
  return waits;
}

}  // namespace annelid::simulation
