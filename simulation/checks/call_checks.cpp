#include "simulation/checks/call_checks.hpp"

#include <fmt/format.h>

#include <utility>

#include "simulation/checks/message_text.hpp"

namespace annelid::simulation {
namespace {

using nic::MessageRecord;

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

}  // namespace

Check check_calls(const Simulation& simulation, const CheckedCall& checked) {
  const Scenario& scenario = checked.scenario;
  const auto failed = [](std::string detail) {
    return Check{"calls", Verdict::kFailed, std::move(detail)};
  };
  for (const MessageRecord& m : checked.messages.all) {
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
                      checked.messages.all.size())};
}

}  // namespace annelid::simulation
