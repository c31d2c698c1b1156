#include "simulation/scenario/memory_plan.hpp"

#include <algorithm>

namespace annelid::simulation {
namespace {

constexpr std::uint64_t kListed = 4, kPartitionEntry = 12;  // firmware/README.md, "Groups"

std::uint64_t next_place(std::uint64_t offset) {
  constexpr std::uint64_t kStep = MemoryLayout::kAlignment;
  return (offset + kStep - 1) / kStep * kStep;
}

std::uint64_t making_list(const GroupSet& set, const reference::Network& network) {
  const auto nodes = static_cast<std::uint64_t>(network.nodes());
  if (set.maker == GroupMaker::kPartition) return kListed * nodes;
  if (set.maker == GroupMaker::kGrid) {
    return kListed * static_cast<std::uint64_t>(network.x + network.y * network.z);
  }
  int most = 0;
  for (const ProcessGroup& group : set.groups) most = std::max(most, group.nodes->size());
  return kListed * static_cast<std::uint64_t>(most);
}

std::uint64_t making_scratch(const GroupSet& set, const reference::Network& network) {
  const auto nodes = static_cast<std::uint64_t>(network.nodes());
  return set.maker == GroupMaker::kList ? kListed * ((nodes + 31) / 32) + kListed
                                        : kPartitionEntry * nodes;
}

}  // namespace

Buffer GroupLayout::list_of(const GroupSet& set, const ProcessGroup& group,
                            const reference::Network& network) const {
  const bool column = set.maker == GroupMaker::kGrid && set.part == GridPart::kColumn;
  const std::uint64_t before = column ? kListed * static_cast<std::uint64_t>(network.x) : 0;
  return {list.offset + before, kListed * static_cast<std::uint64_t>(group.nodes->size())};
}

MemoryPlan plan_memory(const Scenario& scenario) {
  MemoryPlan plan;
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < scenario.calls.size(); ++i) {
    const ScenarioCall& call = scenario.calls[i];
    if (i > 0 && call.table != scenario.calls[i - 1].table) begin = plan.calls_end;
    plan.calls.push_back(layout_of(call.collective, begin));
    plan.calls_end = std::max(plan.calls_end, plan.calls.back().end);
  }
  plan.end = plan.calls_end;
  const auto place = [&plan](std::uint64_t bytes) {
    const Buffer buffer{plan.end, bytes};
    plan.end = next_place(buffer.end() + MemoryLayout::kLeastGuard);
    return buffer;
  };
  for (const GroupSet& set : scenario.groups) {
    if (set.made_with) {
      plan.groups.push_back(plan.groups[*set.made_with]);
      continue;
    }
    const reference::Network& network = scenario.call().collective.network;
    const Buffer list = place(making_list(set, network));
    plan.groups.push_back({list, place(making_scratch(set, network))});
  }
  return plan;
}

}  // namespace annelid::simulation
