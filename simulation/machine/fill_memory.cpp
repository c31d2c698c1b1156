#include "simulation/machine/fill_memory.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

namespace annelid::simulation {
namespace {

void fill(nic::NodeMemory& memory, const std::vector<Untouched>& parts, Filler& filler) {
  for (const Untouched& part : parts) {
    for (const Buffer& filled : part.filled) filler.fill(memory, filled);
  }
}

/// What a call finds in a node's memory, but for the filler of what is untouched.
void fill_buffers(nic::NodeMemory& memory, const Collective& c, const MemoryLayout& layout,
                  const BufferBytes& buffers, const reference::Node& at, Filler& filler) {
  filler.fill(memory, {layout.target.offset, buffers.target(at)});
  const bool in_place = c.operation() == reference::Operation::kBroadcast;
  if (in_place && buffers.takes_part(at)) filler.fill(memory, layout.source);
  if (!c.lengths.empty() && c.calls(at)) memory.write(layout.lengths.offset, length_words(c, at));
}

/// Watches all that no node may write, not even to restore it later: what is untouched, the lists
/// of lengths, and the inputs. (The root of a broadcast may get its own bytes back.)
void watch_memory(const std::vector<std::unique_ptr<nic::Nic>>& nics, const Scenario& scenario,
                  const MemoryPlan& plan, const std::vector<reference::Inputs>& inputs,
                  std::vector<UntouchedMemory>& untouched,
                  const nic::NodeMemory::Ranges& behind_calls) {
  const reference::Network network = reference_network(scenario.network);
  std::shared_ptr<const nic::NodeMemory::Ranges> latest;  // most nodes have those of the one before
  nic::NodeMemory::Ranges ranges;
  const auto add = [&ranges](Buffer where) {
    if (where.bytes > 0) ranges.push_back({where.offset, where.bytes});
  };
  for (NodeId node = 0; node < nics.size(); ++node) {
    if (!nics[node]) continue;
    const reference::Node at = reference::node_at(network, static_cast<int>(node));
    ranges = behind_calls;
    for (std::size_t i = 0; i < scenario.calls.size(); ++i) {
      if (!scenario.concerns(i, at)) continue;
      for (const Untouched& part : untouched[i].at(at)) add(part.where);
      const Collective& c = scenario.calls[i].collective;
      if (c.operation() != reference::Operation::kBroadcast) {
        add({plan.calls[i].source.offset, inputs[i].source[node].size()});
      }
      if (c.calls(at)) add(plan.calls[i].lengths);
    }
    std::ranges::sort(ranges, {}, &nic::NodeMemory::Range::offset);
    if (!latest || *latest != ranges) {
      latest = std::make_shared<const nic::NodeMemory::Ranges>(ranges);
    }
    nics[node]->memory().watch(latest);
  }
}

nic::NodeMemory::Ranges ranges_of(const std::vector<Untouched>& parts) {
  nic::NodeMemory::Ranges ranges;
  for (const Untouched& part : parts) {
    if (part.where.bytes > 0) ranges.push_back({part.where.offset, part.where.bytes});
  }
  return ranges;
}

/// Calls f(node, memory) for each node that has a NIC.
template <typename F>
void for_each_memory(const std::vector<std::unique_ptr<nic::Nic>>& nics, F f) {
  for (NodeId node = 0; node < nics.size(); ++node) {
    if (nics[node]) f(node, nics[node]->memory());
  }
}

/// The size of each node's memory.
std::uint64_t memory_bytes(const std::vector<std::unique_ptr<nic::Nic>>& nics) {
  std::uint64_t bytes = 0;
  for_each_memory(nics, [&](NodeId, nic::NodeMemory& memory) { bytes = memory.size(); });
  return bytes;
}

/// Calls f(call, node, its place) for each call that says what its part of a node's memory holds.
template <typename F>
void for_each_use(const std::vector<std::unique_ptr<nic::Nic>>& nics, const Scenario& scenario,
                  F f) {
  const reference::Network network = reference_network(scenario.network);
  for (std::size_t i = 0; i < scenario.calls.size(); ++i) {
    for_each_memory(nics, [&](NodeId node, nic::NodeMemory&) {
      const reference::Node at = reference::node_at(network, static_cast<int>(node));
      if (scenario.concerns(i, at)) f(i, node, at);
    });
  }
}

std::vector<UntouchedMemory> untouched_by_calls(const Scenario& scenario, const MemoryPlan& plan,
                                                std::uint64_t memory_bytes) {
  std::vector<UntouchedMemory> untouched;
  untouched.reserve(scenario.calls.size());
  for (std::size_t i = 0; i < scenario.calls.size(); ++i) {
    untouched.emplace_back(plan.calls[i], scenario.calls[i].collective,
                           end_of_call(plan, i, memory_bytes));
  }
  return untouched;
}

void write_lists(const std::vector<std::unique_ptr<nic::Nic>>& nics, const GroupSet& set,
                 const GroupLayout& layout, const reference::Network& network) {
  if (set.maker != GroupMaker::kList) return;
  for (const ProcessGroup& group : set.groups) {
    const std::vector<std::byte> list = list_bytes(group, network);
    for (const reference::Node& node : group.nodes->nodes()) {
      const auto number = static_cast<std::size_t>(reference::index_of(network, node));
      if (nics[number]) nics[number]->memory().write(layout.list.offset, list);
    }
  }
}

}  // namespace

std::vector<std::byte> list_bytes(const ProcessGroup& group, const reference::Network& network) {
  std::vector<std::byte> bytes;
  for (const reference::Node& node : group.nodes->nodes()) {
    append_word(bytes, static_cast<std::uint32_t>(reference::index_of(network, node)));
  }
  return bytes;
}

std::uint64_t end_of_call(const MemoryPlan& plan, std::size_t call, std::uint64_t memory_bytes) {
  const bool last = plan.calls[call].end == plan.calls_end && plan.end == plan.calls_end;
  return last ? memory_bytes : plan.calls[call].end;
}

std::vector<Untouched> untouched_behind_calls(const MemoryPlan& plan, std::uint64_t memory_bytes) {
  std::vector<Untouched> parts;
  if (plan.end == plan.calls_end) return parts;
  std::uint64_t begin = plan.calls_end;
  for (const Buffer& buffer : buffers_behind_calls(plan)) {
    parts.emplace_back("the bytes around the lists of groups and of prepared calls",
                       Buffer{begin, buffer.offset - begin});
    begin = buffer.end();
  }
  parts.emplace_back("the memory behind all buffers", Buffer{begin, memory_bytes - begin});
  return parts;
}

void fill_memory(const std::vector<std::unique_ptr<nic::Nic>>& nics, const Scenario& scenario,
                 const MemoryPlan& plan, const std::vector<reference::Inputs>& inputs,
                 Filler& filler) {
  const reference::Network network = reference_network(scenario.network);
  for_each_memory(nics, [](NodeId, nic::NodeMemory& memory) { memory.clear(); });
  const std::uint64_t bytes = memory_bytes(nics);
  std::vector<UntouchedMemory> untouched = untouched_by_calls(scenario, plan, bytes);
  for_each_use(nics, scenario, [&](std::size_t i, NodeId node, const reference::Node& at) {
    nic::NodeMemory& memory = nics[node]->memory();
    fill(memory, untouched[i].at(at), filler);
    fill_buffers(memory, scenario.calls[i].collective, plan.calls[i], untouched[i].buffers(), at,
                 filler);
    memory.write(plan.calls[i].source.offset, inputs[i].source[node]);
  });
  const std::vector<Untouched> around = untouched_behind_calls(plan, bytes);
  for_each_memory(nics, [&](NodeId, nic::NodeMemory& memory) { fill(memory, around, filler); });
  for (std::size_t i = 0; i < scenario.groups.size(); ++i) {
    write_lists(nics, scenario.groups[i], plan.groups[i], network);
  }
  watch_memory(nics, scenario, plan, inputs, untouched, ranges_of(around));
}

void refill_memory(const std::vector<std::unique_ptr<nic::Nic>>& nics, const Scenario& scenario,
                   const MemoryPlan& plan, const std::vector<reference::Inputs>& inputs,
                   Filler& filler) {
  const std::uint64_t bytes = memory_bytes(nics);
  std::vector<UntouchedMemory> untouched = untouched_by_calls(scenario, plan, bytes);
  for_each_use(nics, scenario, [&](std::size_t i, NodeId node, const reference::Node& at) {
    nic::NodeMemory& memory = nics[node]->memory();
    const BufferBytes& buffers = untouched[i].buffers();
    fill_buffers(memory, scenario.calls[i].collective, plan.calls[i], buffers, at, filler);
    if (buffers.takes_part(at)) filler.fill(memory, plan.calls[i].scratch);
    memory.write(plan.calls[i].source.offset, inputs[i].source[node]);
  });
  nic::NodeMemory::Ranges ranges = ranges_of(untouched_behind_calls(plan, bytes));
  for (const Buffer& buffer : kept_buffers(plan)) ranges.push_back({buffer.offset, buffer.bytes});
  watch_memory(nics, scenario, plan, inputs, untouched, ranges);
}

}  // namespace annelid::simulation
