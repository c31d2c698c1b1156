#include "simulation/scenario/memory_plan.hpp"

#include <algorithm>

namespace annelid::simulation {
namespace {

constexpr std::uint64_t kBytesOfWords = 4 * reg::kCallWords;  // docs/internals/nic/calls.md
constexpr std::uint64_t kBytesOfAnswer = 8;                   // of PREPARE
constexpr std::uint64_t kListed = 4, kPartitionEntry = 12;    // firmware/README.md, "Groups"

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

/// Behind all that has a place.
Buffer place(MemoryPlan& plan, std::uint64_t bytes) {
  const Buffer buffer{plan.end, bytes};
  plan.end = next_place(buffer.end() + MemoryLayout::kLeastGuard);
  return buffer;
}

/// Unless it is empty, or at the place of one that is there.
void add(std::vector<Buffer>& buffers, Buffer buffer) {
  const bool behind = buffers.empty() || buffer.offset > buffers.back().offset;
  if (buffer.bytes > 0 && behind) buffers.push_back(buffer);
}

void place_prepared(const Scenario& scenario, MemoryPlan& plan) {
  for (std::size_t i = 0; i < scenario.calls.size(); ++i) {
    const ScenarioCall& call = scenario.calls[i];
    PreparedLayout layout;
    const bool shares = i > 0 && call.table == scenario.calls[i - 1].table;
    if (call.collective.prepared && shares) {
      layout = plan.prepared.back();
    } else if (call.collective.prepared) {
      layout.words = place(plan, kBytesOfWords);
      layout.answer = place(plan, kBytesOfAnswer);
      layout.list = place(plan, call.collective.plan_bytes);
    }
    plan.prepared.push_back(layout);
  }
}

}  // namespace

Buffer GroupLayout::list_of(const GroupSet& set, const ProcessGroup& group,
                            const reference::Network& network) const {
  const bool column = set.maker == GroupMaker::kGrid && set.part == GridPart::kColumn;
  const std::uint64_t before = column ? kListed * static_cast<std::uint64_t>(network.x) : 0;
  return {list.offset + before, kListed * static_cast<std::uint64_t>(group.nodes->size())};
}

std::vector<Buffer> kept_buffers(const MemoryPlan& plan) {
  std::vector<Buffer> all;
  for (const PreparedLayout& layout : plan.prepared) {
    for (const Buffer& buffer : {layout.words, layout.answer, layout.list}) add(all, buffer);
  }
  return all;
}

std::vector<Buffer> buffers_behind_calls(const MemoryPlan& plan) {
  std::vector<Buffer> all = kept_buffers(plan);
  for (const GroupLayout& layout : plan.groups) {
    for (const Buffer& buffer : {layout.list, layout.scratch}) add(all, buffer);
  }
  return all;
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
  place_prepared(scenario, plan);
  for (const GroupSet& set : scenario.groups) {
    if (set.made_with) {
      plan.groups.push_back(plan.groups[*set.made_with]);
      continue;
    }
    const reference::Network& network = scenario.call().collective.network;
    const Buffer list = place(plan, making_list(set, network));
    plan.groups.push_back({list, place(plan, making_scratch(set, network))});
  }
  return plan;
}

}  // namespace annelid::simulation
