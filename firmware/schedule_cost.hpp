// One process's part of a schedule of ranks, found by itself: what it is, as one number, and what
// that takes. The same code runs on the core and on the host.
#pragma once

#include <initializer_list>

#include "firmware/collectives/pipelines/circulant_schedule.hpp"
#include "firmware/collectives/two_trees/two_trees.hpp"
#include "firmware/schedule_kind.hpp"

namespace annelid::firmware {

struct ScheduleCost {
  std::uint32_t digest = 2166136261U;  ///< FNV-1a
  std::uint32_t instructions = 0, cycles = 0;

  void add(std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8)
      digest = (digest ^ ((word >> shift) & 0xFF)) * 16777619U;
  }
};

/// The cost for process r of p. `Counters` has instructions() and cycles().
template <typename Counters>
ScheduleCost schedule_cost(ScheduleKind kind, std::uint32_t p, std::uint32_t r,
                           const Counters& counters) {
  ScheduleCost cost;
  const std::uint32_t cycles = counters.cycles(), instructions = counters.instructions();
  const auto stop = [&] {
    cost.instructions = counters.instructions() - instructions;
    cost.cycles = counters.cycles() - cycles;
  };
  if (kind == ScheduleKind::kCirculantReceives || kind == ScheduleKind::kCirculantSends) {
    const CirculantGraph graph(p);
    CirculantGraph::Schedule schedule;
    if (kind == ScheduleKind::kCirculantSends) {
      graph.find_sends(r, schedule);
    } else {
      graph.find_receives(r, schedule);
    }
    stop();
    for (std::uint32_t i = 0; i < graph.rounds(); ++i)
      cost.add(static_cast<std::uint32_t>(schedule[i]));
    return cost;
  }
  const bool scan = kind == ScheduleKind::kTwoTreeScan;
  const TreeSchedule schedule =
      TwoTrees(scan ? p : p - 1, kind == ScheduleKind::kTwoTreeShifted, scan)
          .of(scan ? r + 1 : r, scan);
  stop();
  cost.add(schedule.last);
  for (const TreeNode& node : schedule.node) {
    for (const std::uint32_t word : {node.parent, node.first, node.left.process, node.left.first,
                                     node.right.process, node.right.first})
      cost.add(word);
    cost.add(node.holds_first ? 1 : 0);
    cost.add(node.holds_last ? 1 : 0);
  }
  return cost;
}

}  // namespace annelid::firmware
