#include "simulation/results/step_waits.hpp"

#include <algorithm>

namespace annelid::simulation {
namespace {

/// One message at the port that injects it. A port injects one message at a time, so those of a
/// step do not overlap.
struct Injection {
  NodeId node = 0;
  Port port = 0;
  std::uint32_t step = 0;
  Cycle start = 0, end = 0;  ///< [start, end)
  Cycle posted = 0;
  Cycle busy_before = 0;  ///< cycles of the port's earlier ones in the step

  [[nodiscard]] bool is_beside(const Injection& other) const {
    return node == other.node && port == other.port && step == other.step;
  }
};

/// By port and step, in the order in which they begin.
std::vector<Injection> injections_of(const std::vector<nic::MessageRecord>& messages) {
  std::vector<Injection> all;
  all.reserve(messages.size());
  for (const nic::MessageRecord& m : messages) {
    if (m.info.source == m.info.destination || m.sent == kNever) continue;
    all.push_back({m.info.source, m.local, m.info.step, m.started, m.sent + 1, m.posted, 0});
  }
  std::ranges::sort(all, [](const Injection& a, const Injection& b) {
    if (a.step != b.step) return a.step < b.step;
    if (a.node != b.node) return a.node < b.node;
    return a.port != b.port ? a.port < b.port : a.start < b.start;
  });
  return all;
}

}  // namespace

std::map<std::uint32_t, std::uint64_t> injection_waits(
    const std::vector<nic::MessageRecord>& messages) {
  std::vector<Injection> all = injections_of(messages);
  std::map<std::uint32_t, std::uint64_t> waits;
  for (auto begin = all.begin(); begin != all.end();) {
    const std::uint32_t step = begin->step;
    std::uint64_t& wait = waits.try_emplace(waits.end(), step)->second;
    while (begin != all.end() && begin->step == step) {
      auto end = begin;
      Cycle busy = 0;
      for (; end != all.end() && end->is_beside(*begin); ++end) {
        end->busy_before = busy;
        busy += end->end - end->start;
      }
      for (auto own = begin; own != end; ++own) {
        const auto first = std::upper_bound(
            begin, own, own->posted, [](Cycle at, const Injection& i) { return at < i.end; });
        if (first == own) continue;
        const Cycle cut = own->posted > first->start ? own->posted - first->start : 0;
        wait += own->busy_before - first->busy_before - cut;
      }
      begin = end;
    }
  }
  return waits;
}

}  // namespace annelid::simulation
