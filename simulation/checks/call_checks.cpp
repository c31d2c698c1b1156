#include "simulation/checks/call_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "reference/all_to_all.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::simulation {
namespace {

using nic::MessageRecord;

std::string node_name_of(const systemc::NetworkConfig& network, NodeId node) {
  return node_text(network, network.address(node));
}

std::string name_of(const systemc::NetworkConfig& network, const MessageRecord& m) {
  return fmt::format("step {}: {} -> {}, {} bytes", m.info.step,
                     node_name_of(network, m.info.source),
                     node_name_of(network, m.info.destination), m.info.bytes);
}

std::string cycle_text(Cycle cycle) {
  return cycle == kNever ? "never" : fmt::format("in cycle {}", cycle);
}

/// What of a message does not lie within its nodes' calls; "" if all does.
std::string outside_calls(const CallResult& result, const systemc::NetworkConfig& network,
                          const MessageRecord& m) {
  const NodeId from = m.info.source, to = m.info.destination;
  const auto called = [&](NodeId node) { return result.called[node]; };
  const auto ended = [&](NodeId node) { return result.finished[node]; };
  for (const NodeId node : {from, to}) {
    if (called(node) != kNever) continue;
    return fmt::format("{}: node {} was not called", name_of(network, m),
                       node_name_of(network, node));
  }
  const auto text = [&](const char* what, Cycle when, NodeId node, const char* call, Cycle cycle) {
    return fmt::format("{}: {} {}, but node {} {} its call in cycle {}", name_of(network, m), what,
                       cycle_text(when), node_name_of(network, node), call, cycle);
  };
  if (m.posted < called(from)) return text("posted", m.posted, from, "got", called(from));
  // The core can read a completion one cycle after it.
  if (m.sent >= ended(from)) return text("sent", m.sent, from, "ended", ended(from));
  if (m.received <= called(to)) return text("received", m.received, to, "got", called(to));
  if (m.received >= ended(to)) return text("received", m.received, to, "ended", ended(to));
  return "";
}

/// Which of a node's earlier messages a message waits for: those of its strand, and those of all
/// strands up to where they join (docs/internals/algorithms/all-ports.md).
class Strands {
 public:
  Strands(const reference::Schedule& schedule, const systemc::NetworkConfig& network)
      : joins_(schedule.joins), network_(network) {
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
      for (const reference::Message& m : schedule.steps[i]) {
        if (m.strand != 0) strands_[{i + 1, m.from, m.to}] = m.strand;
      }
    }
  }

  /// No two strands have messages of the same step between the same nodes.
  [[nodiscard]] int of(const MessageRecord& m) const {
    if (strands_.empty()) return 0;
    const auto found =
        strands_.find({m.info.step, place(m.info.source), place(m.info.destination)});
    return found == strands_.end() ? 0 : found->second;
  }
  [[nodiscard]] bool join() const { return !joins_.empty(); }
  /// The last step before this one after which strands join; 0 if there is none.
  [[nodiscard]] std::uint32_t joined_before(std::uint32_t step) const {
    const auto behind = std::ranges::lower_bound(joins_, step);
    return behind == joins_.begin() ? 0 : static_cast<std::uint32_t>(*std::prev(behind));
  }

 private:
  [[nodiscard]] reference::Node place(NodeId node) const {
    return reference_node(network_.address(node));
  }

  const std::vector<std::size_t>& joins_;
  const systemc::NetworkConfig& network_;
  std::map<std::tuple<std::size_t, reference::Node, reference::Node>, int> strands_;
};

/// When a node has what the messages of its steps bring it.
class Arrivals {
 public:
  Arrivals(const std::vector<MessageRecord>& messages, const Strands& strands) {
    arrivals_.reserve(messages.size());
    for (const MessageRecord& m : messages) {
      if (m.info.step == 0 || m.info.source == m.info.destination) continue;
      for (const int strand : {strands.of(m), kAll}) {
        if (strand == kAll && !strands.join()) continue;
        arrivals_.push_back({m.info.destination, strand, m.info.step, &m});
      }
    }
    std::ranges::stable_sort(arrivals_, {}, &Arrival::key);
    // Now `last` becomes that of the step and of those before it.
    for (std::size_t i = 1; i < arrivals_.size(); ++i) {
      const Arrival& before = arrivals_[i - 1];
      Arrival& own = arrivals_[i];
      const bool together = before.node == own.node && before.strand == own.strand;
      if (together && before.last->received >= own.last->received) own.last = before.last;
    }
  }

  static constexpr int kAll = -1;  ///< strands

  /// The last one that comes to a node in a step before this one.
  [[nodiscard]] const MessageRecord* last_before(NodeId node, int strand,
                                                 std::uint32_t step) const {
    const auto after =
        std::ranges::lower_bound(arrivals_, key_of(node, strand, step), {}, &Arrival::key);
    if (after == arrivals_.begin()) return nullptr;
    const Arrival& before = *std::prev(after);
    return before.node == node && before.strand == strand ? before.last : nullptr;
  }

 private:
  using Key = std::pair<std::uint64_t, std::uint32_t>;
  struct Arrival {
    NodeId node = 0;
    int strand = 0;
    std::uint32_t step = 0;
    const MessageRecord* last = nullptr;
    [[nodiscard]] Key key() const { return key_of(node, strand, step); }
  };
  static Key key_of(NodeId node, int strand, std::uint32_t step) {
    return {std::uint64_t{node} << 32 | static_cast<std::uint32_t>(strand), step};
  }

  std::vector<Arrival> arrivals_;  ///< by node, strand and step
};

/// By step: the first of the steps that need not wait for each other.
std::vector<std::uint32_t> beginnings(const Collective& c) {
  std::vector<std::uint32_t> first = {0};
  int place = -1;
  const reference::Request request = c.request();
  const auto steps =
      reference::index_steps(reference::rank_count(c.network, c.ranks),
                             reference::radices_of(request.parameter, request.parameter_0));
  for (const reference::IndexStep& step : steps) {
    const auto number = static_cast<std::uint32_t>(first.size());
    first.push_back(step.place == place ? first.back() : number);
    place = step.place;
  }
  return first;
}

}  // namespace

Check check_calls(const Simulation& simulation, const CheckedCall& checked) {
  const Scenario& scenario = checked.scenario;
  const auto failed = [](std::string detail) {
    return Check{"calls", Verdict::kFailed, std::move(detail)};
  };
  for (const MessageRecord& m : checked.messages) {
    if (std::string text = outside_calls(checked.result, scenario.network, m); !text.empty()) {
      return failed(std::move(text));
    }
  }
  for (NodeId node = 0; node < scenario.network.nodes(); ++node) {
    const NicWatch::Writes stray = simulation.nics().stray_writes(node);
    if (stray.before == 0 && stray.after == 0) continue;
    return failed(fmt::format("node {}: {} writes to node memory {} its call",
                              node_name_of(scenario.network, node),
                              stray.before > 0 ? stray.before : stray.after,
                              stray.before > 0 ? "before" : "after it ended"));
  }
  return {"calls", Verdict::kHeld,
          fmt::format("{} messages were complete at both ends, and all memory written, before "
                      "their nodes ended the call",
                      checked.messages.size())};
}

Check check_order(const CheckedCall& checked, const reference::Schedule& schedule) {
  const Scenario& scenario = checked.scenario;
  const Collective& c = checked.collective();
  if (c.operation() == reference::Operation::kAllToAll && c.algorithm->name == "direct") {
    return {"order", Verdict::kNotRun, "each node sends its own blocks alone, all at once"};
  }
  const Strands strands(schedule, scenario.network);
  const Arrivals arrivals(checked.messages, strands);
  std::vector<std::uint32_t> first;
  if (c.operation() == reference::Operation::kAllToAll && c.algorithm->name == "radix") {
    first = beginnings(c);
  }
  std::size_t waited = 0;
  for (const MessageRecord& m : checked.messages) {
    if (m.info.step == 0 || m.info.source == m.info.destination) continue;
    const std::uint32_t step = m.info.step < first.size() ? first[m.info.step] : m.info.step;
    const MessageRecord* const of_strand = arrivals.last_before(m.info.source, strands.of(m), step);
    const MessageRecord* const of_all =
        arrivals.last_before(m.info.source, Arrivals::kAll, strands.joined_before(step) + 1);
    if (of_strand == nullptr && of_all == nullptr) continue;
    ++waited;
    for (const MessageRecord* const before : {of_strand, of_all}) {
      if (before == nullptr || m.posted > before->received) continue;
      return {"order", Verdict::kFailed,
              fmt::format("{}, posted in cycle {}, before its sender had what {} brings it, which "
                          "was there {}",
                          name_of(scenario.network, m), m.posted,
                          name_of(scenario.network, *before), cycle_text(before->received))};
    }
  }
  return {"order", Verdict::kHeld,
          fmt::format("each of {} messages left after all that earlier steps bring its sender",
                      waited)};
}

}  // namespace annelid::simulation
