#include "simulation/checks/mode_messages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "systemc/network/node_text.hpp"

namespace annelid::simulation {
namespace {

using reference::Message;
using reference::Operation;

constexpr std::uint64_t kRecordBytes = 84, kVerdictBytes = 28;

/// Adds the messages of SYNC_IN or SYNC_OUT of these ranks, which have other lengths.
void add(std::vector<Message>& all, const Collective& c, Operation operation,
         const reference::Ranks& ranks, const reference::Node& root, std::uint64_t bytes) {
  const reference::Algorithm& tree = *reference::find_algorithm(operation, "binomial");
  const reference::Schedule schedule = tree.schedule(
      {.network = c.network, .root = root, .bytes = 0, .parameter = 0, .ranks = ranks});
  for (const reference::Step& step : schedule.steps) {
    for (Message message : step) {
      message.bytes = bytes;
      all.push_back(message);
    }
  }
}

/// What barrier mode puts before an operation and behind it.
struct Framing {
  bool in_before = false, out_before = false, out_behind = false;
};
Framing framing_of(Operation operation) {
  switch (operation) {
    case Operation::kBroadcast:
    case Operation::kScatter:
    case Operation::kSyncOut:
      return {.in_before = true};
    case Operation::kReduce:
    case Operation::kGather:
    case Operation::kScan:
    case Operation::kExscan:
    case Operation::kSyncIn:
      return {.out_behind = true};
    case Operation::kShift:
    case Operation::kTranspose:
      return {.in_before = true, .out_before = true};
    default:
      return {};
  }
}

/// With whom all synchronize: the root, or of scans the last rank, else the first.
reference::Node middle_of(const Collective& c, const reference::Ranks& ranks) {
  if (c.has_root()) return c.root;
  const auto members = reference::members(c.network, ranks);
  const bool scans = c.operation() == Operation::kScan || c.operation() == Operation::kExscan;
  return scans ? members.back() : members.front();
}

}  // namespace

std::vector<Message> mode_messages(const Collective& c) {
  std::vector<Message> all;
  reference::Ranks everyone;  // that is called
  everyone.listed = c.ranks.listed;
  if (c.in_develop_mode) {
    const reference::Node first = reference::members(c.network, everyone).front();
    add(all, c, Operation::kSyncIn, everyone, first, kRecordBytes);
    add(all, c, Operation::kSyncOut, everyone, first, kVerdictBytes);
  }
  if (c.in_barrier_mode) {
    // By AUTO, which chooses the embedding itself, the call names none.
    reference::Ranks ranks = c.algorithm->by_rank ? c.ranks : everyone;
    if (c.by_auto && !ranks.listed && ranks.count == 0) ranks = everyone;
    const reference::Node middle = middle_of(c, ranks);
    const Framing framing = framing_of(c.operation());
    if (framing.in_before) add(all, c, Operation::kSyncIn, ranks, middle, 0);
    if (framing.out_before || framing.out_behind) {
      add(all, c, Operation::kSyncOut, ranks, middle, 0);
    }
  }
  return all;
}

std::optional<Check> check_barrier(const Collective& c, const systemc::NetworkConfig& network,
                                   const CallResult& result) {
  if (c.own) return {};
  const bool all_wait = c.operation() == Operation::kBarrier || c.in_barrier_mode;
  const bool root_waits = !all_wait && c.operation() == Operation::kSyncIn;
  const bool for_root = !all_wait && c.operation() == Operation::kSyncOut;
  if (!all_wait && !root_waits && !for_root) return {};
  const reference::Inputs inputs = c.inputs();
  std::optional<NodeId> first;  // that ends, of those who wait
  Cycle last_call = 0;          // of those for whom they wait
  Cycle first_call = kNever;
  for (NodeId node = 0; node < network.nodes(); ++node) {
    const reference::Node place = reference_node(network.address(node));
    if (result.called[node] == kNever || !reference::takes_part(inputs, place)) continue;
    const bool is_root = place == c.root;
    first_call = std::min(first_call, result.called[node]);
    if (!for_root || is_root) last_call = std::max(last_call, result.called[node]);
    if (root_waits && !is_root) continue;
    if (!first || result.finished[node] < result.finished[*first]) first = node;
  }
  if (!first || first_call == last_call) {
    return Check{"barrier", Verdict::kNotRun,
                 "all calls began in one cycle, so none could end too early; --skew changes that"};
  }
  const std::string detail =
      fmt::format("{} ended in cycle {}, at node {}; {} began in cycle {}",
                  root_waits ? "the root's call" : "the first call", result.finished[*first],
                  node_text(network, network.address(*first)),
                  for_root ? "the root's" : "the last one", last_call);
  return Check{"barrier", result.finished[*first] >= last_call ? Verdict::kHeld : Verdict::kFailed,
               detail};
}

}  // namespace annelid::simulation
