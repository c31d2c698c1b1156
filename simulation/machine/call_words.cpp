#include "simulation/machine/call_words.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/hybrid_keys.hpp"

namespace annelid::simulation {
namespace {

std::uint32_t code_of(reference::Operator op) {
  constexpr std::array kCodes = {reg::Operator::kSum,     reg::Operator::kMin, reg::Operator::kMax,
                                 reg::Operator::kProduct, reg::Operator::kAnd, reg::Operator::kOr,
                                 reg::Operator::kXor};
  if (op == reference::Operator::kAffine) {
    return static_cast<std::uint32_t>(reg::CoreOperator::kAffine);
  }
  return static_cast<std::uint32_t>(kCodes[static_cast<std::size_t>(op)]);
}
reg::Type code_of(reference::ElementType type) {
  constexpr std::array kCodes = {reg::Type::kInt32, reg::Type::kUint32, reg::Type::kInt64,
                                 reg::Type::kFloat32};
  return kCodes[static_cast<std::size_t>(type)];
}

}  // namespace

nic::Call call_of(const Collective& c, const MemoryLayout& layout, std::uint16_t tag) {
  using Word = reg::CallWord;
  const auto word = [](auto value) { return static_cast<std::uint32_t>(value); };
  nic::Call call;
  call.set(Word::kOperation, c.own ? c.own->operation : word(operation_code(c.operation())))
      .set(Word::kAlgorithm, c.own       ? c.own->algorithm
                             : c.by_auto ? kAutoCode
                                         : c.algorithm->code)
      .set(Word::kGroup, c.place)
      .set(Word::kRoot, c.ranks.listed ? word(*c.ranks.listed->rank_at(c.root))
                                       : word(reference::index_of(c.network, c.root)))
      .set(Word::kSource, word(layout.source.offset))
      .set(Word::kTarget, word(layout.target.offset))
      .set(Word::kScratch, word(layout.scratch.offset))
      .set(Word::kCount, word(c.bytes))
      .set(Word::kTag, tag)
      .set(Word::kParameter0, c.by_core ? 1 : c.parameter_0)
      .set(Word::kParameter1, c.parameter);
  if (!c.own && !c.by_auto && is_hybrid(*c.algorithm)) {
    const HybridWords words = hybrid_words(c);
    call.set(Word::kParameter1, words.sizes).set(Word::kFlags, words.flags);
  }
  if (!c.own && !c.ranks.listed && (c.algorithm->by_rank || c.by_auto)) {
    const bool left_open = c.by_auto && embeds_itself(c);
    call.set(Word::kParameter2, (left_open ? 0 : word(c.ranks.embedding)) |
                                    static_cast<std::uint32_t>(c.ranks.count) << 8U);
  }
  if (c.reduces() || (c.own && c.own->typed)) {
    call.set(Word::kCount, word(c.bytes / bytes_of(c.type)))
        .set(Word::kType, word(code_of(c.type)));
  }
  if (!c.lengths.empty()) {
    constexpr std::uint32_t kLengths = 8;  // bit 3
    call.set(Word::kCount, 0)
        .set(Word::kParameter0, word(layout.lengths.offset))
        .set(Word::kFlags, kLengths | (is_hybrid(*c.algorithm) ? hybrid_words(c).flags : 0));
  }
  if (c.reduces() || (c.own && c.own->combines)) call.set(Word::kOperator, code_of(c.op));
  if (c.in_barrier_mode || c.in_develop_mode) {
    const std::uint32_t modes =
        (c.in_barrier_mode ? reg::kFlagBarrier : 0) | (c.in_develop_mode ? reg::kFlagDevelop : 0);
    call.set(Word::kOperation, call[Word::kOperation] | reg::kOperationInModes)
        .set(Word::kFlags, call[Word::kFlags] | modes);
  }
  return call;
}

namespace {

using Word = reg::CallWord;

NodeId number_of(const reference::Network& network, const reference::Node& node) {
  return static_cast<NodeId>(reference::index_of(network, node));
}

nic::Call group_call(reg::Operation operation, const GroupLayout& layout, std::uint16_t tag) {
  nic::Call call;
  call.set(Word::kOperation, static_cast<std::uint32_t>(operation))
      .set(Word::kSource, static_cast<std::uint32_t>(layout.list.offset))
      .set(Word::kTarget, static_cast<std::uint32_t>(layout.list.offset))
      .set(Word::kScratch, static_cast<std::uint32_t>(layout.scratch.offset))
      .set(Word::kTag, tag);
  return call;
}

/// The members make their group from a list of it.
HostCall call_list(const GroupSet& set, const nic::Call& call, const reference::Network& network) {
  std::map<NodeId, nic::Call> calls;
  for (std::uint32_t label = 0; label < set.groups.size(); ++label) {
    const ProcessGroup& group = set.groups[label];
    nic::Call own = call;
    own.set(Word::kCount, static_cast<std::uint32_t>(group.nodes->size()))
        .set(Word::kParameter0, group.place)
        .set(Word::kParameter1, label);
    for (const reference::Node& node : group.nodes->nodes()) {
      calls.emplace(number_of(network, node), own);
    }
  }
  HostCall host;
  for (const auto& [node, own] : calls) {
    host.nodes.push_back(node);
    host.calls.push_back(own);
  }
  return host;
}

/// Every process takes part. Those of no group in the set make one of their own.
HostCall call_partition(const GroupSet& set, const nic::Call& call,
                        const reference::Network& network) {
  HostCall host;
  host.nodes = all_nodes(network);
  host.calls.assign(host.nodes.size(), call);
  for (nic::Call& own : host.calls) {
    own.set(Word::kParameter0, set.groups.front().place)
        .set(Word::kParameter1, static_cast<std::uint32_t>(set.groups.size()));
  }
  for (std::uint32_t value = 0; value < set.groups.size(); ++value) {
    std::uint32_t key = 0;
    for (const reference::Node& node : set.groups[value].nodes->nodes()) {
      host.calls[number_of(network, node)]
          .set(Word::kParameter1, value)
          .set(Word::kParameter2, key++);
    }
  }
  return host;
}

HostCall call_grid(const GroupSet& set, nic::Call call, const reference::Network& network) {
  const std::uint32_t row = set.groups.front().place - (set.part == GridPart::kColumn ? 1 : 0);
  call.set(Word::kCount, static_cast<std::uint32_t>(network.x))
      .set(Word::kParameter0, row)
      .set(Word::kParameter1, row + 1)
      .set(Word::kParameter2, static_cast<std::uint32_t>(network.y));
  HostCall host{call};
  host.nodes = all_nodes(network);
  return host;
}

/// The call of each node. The node that differs has its own word; OPERATION keeps the bit that the
/// call has modes.
std::vector<nic::Call> differing_calls(const HostCall& host, const DifferingWord& differs,
                                       const reference::Network& network) {
  std::vector<nic::Call> calls(host.nodes.size(), host.call);
  const auto place = std::ranges::find(host.nodes, number_of(network, differs.node));
  nic::Call& call = calls[static_cast<std::size_t>(place - host.nodes.begin())];
  const std::uint32_t modes = differs.word == Word::kOperation ? reg::kOperationInModes : 0;
  call.set(differs.word, differs.value | modes);
  return calls;
}

/// Whether one call waits for the other at the processes of both.
bool is_after(const ScenarioCall& call, const ScenarioCall& other) {
  return std::ranges::find(call.after, other.table) != call.after.end();
}

}  // namespace

std::vector<NodeId> all_nodes(const reference::Network& network) {
  std::vector<NodeId> nodes(static_cast<std::size_t>(network.nodes()));
  std::iota(nodes.begin(), nodes.end(), NodeId{0});
  return nodes;
}

std::vector<HostCall> host_calls(const std::vector<ScenarioCall>& calls, const MemoryPlan& plan) {
  std::vector<HostCall> all;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const Collective& c = calls[i].collective;
    HostCall host{call_of(c, plan.calls[i], static_cast<std::uint16_t>(i + 1))};
    if (c.ranks.listed) {
      for (const reference::Node& node : c.ranks.listed->nodes()) {
        host.nodes.push_back(number_of(c.network, node));
      }
      std::ranges::sort(host.nodes);
    } else {
      host.nodes = all_nodes(c.network);
    }
    if (c.differs) host.calls = differing_calls(host, *c.differs, c.network);
    for (std::size_t other = 0; other < i; ++other) {
      if (is_after(calls[i], calls[other])) host.after.push_back(other);
    }
    host.start = calls[i].start;
    host.skew = c.skew;
    host.seed = c.seed;
    all.push_back(std::move(host));
  }
  return all;
}

HostCall making_call(const GroupSet& set, const GroupLayout& layout,
                     const reference::Network& network, std::uint16_t tag) {
  switch (set.maker) {
    case GroupMaker::kPartition:
      return call_partition(set, group_call(reg::Operation::kPartition, layout, tag), network);
    case GroupMaker::kGrid:
      return call_grid(set, group_call(reg::Operation::kFormGrid, layout, tag), network);
    default:
      return call_list(set, group_call(reg::Operation::kGroup, layout, tag), network);
  }
}

std::vector<HostCall> freeing_calls(const GroupSet& set, const HostCall& making) {
  const auto free = [&making](std::uint32_t place) {
    nic::Call call;
    call.set(Word::kOperation, static_cast<std::uint32_t>(reg::Operation::kFreeGroup))
        .set(Word::kGroup, place)
        .set(Word::kTag, 1);
    HostCall host{call};
    host.nodes = making.nodes;
    return host;
  };
  const std::uint32_t place = set.groups.front().place;
  if (set.maker != GroupMaker::kGrid) return {free(place)};
  return {free(place), free(set.part == GridPart::kColumn ? place - 1 : place + 1)};
}

}  // namespace annelid::simulation
