#include "simulation/checks/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "reference/checks/contention.hpp"
#include "simulation/checks/call_checks.hpp"
#include "simulation/checks/memory_check.hpp"
#include "simulation/checks/message_text.hpp"
#include "simulation/checks/mode_messages.hpp"
#include "simulation/checks/order_check.hpp"
#include "simulation/checks/schedule_check.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::simulation {
namespace {

Check held(std::string name, std::string detail) {
  return {std::move(name), Verdict::kHeld, std::move(detail)};
}
Check failed(std::string name, std::string detail) {
  return {std::move(name), Verdict::kFailed, std::move(detail)};
}

Check verdict_of(std::string name, const MemoryVerdict& memory) {
  if (memory.difference.empty()) return held(std::move(name), memory.detail);
  return failed(std::move(name), memory.difference + "; " + memory.detail);
}

/// How messages of a step share channels between routers, by the reference.
struct Sharing {
  std::uint64_t conflicts = 0;  ///< pairs of messages of a step that need the same channel
  std::uint64_t most = 0;       ///< messages of a step on a channel
  /// From the run, in the first step that differs; "" if none does. An ideal network has nothing to
  /// share.
  std::string difference;
};

/// Whether the messages of two steps go from the same nodes to the same nodes.
bool are_alike(const reference::Step& a, const reference::Step& b) {
  return std::ranges::equal(a, b, [](const reference::Message& m, const reference::Message& n) {
    return m.from == n.from && m.to == n.to;
  });
}

Sharing sharing_of(const reference::Network& net, const reference::Schedule& schedule,
                   const CallResult& result) {
  Sharing sharing;
  reference::StepLoads loads(net);
  reference::StepLoad load;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    const reference::Step& of_step = schedule.steps[i];
    // Around a ring, all are alike.
    if (i == 0 || !are_alike(of_step, schedule.steps[i - 1])) load = loads.of(of_step);
    sharing.conflicts += load.conflicts;
    sharing.most = std::max(sharing.most, load.most);
    const auto step = result.steps.find(static_cast<std::uint32_t>(i + 1));
    const std::uint64_t measured = step == result.steps.end() ? 0 : step->second.busiest;
    if (net.ideal || measured == load.most || !sharing.difference.empty()) continue;
    sharing.difference =
        fmt::format("step {}: {} messages crossed the busiest channel, expected {}", i + 1,
                    measured, load.most);
  }
  return sharing;
}

/// The promise is for all-port routers with a local port for each external one; with fewer ports
/// the messages of a step share those. In every run, each step's busiest channel must carry as many
/// messages as in the reference.
Check check_contention(const Scenario& s, const Collective& c, const reference::Schedule& schedule,
                       CallResult& result) {
  const reference::Network net = c.network;
  const Sharing sharing = sharing_of(net, schedule, result);
  result.reference_conflicts = sharing.conflicts;
  systemc::BlockedCycles blocked;
  for (const auto& [label, step] : result.steps) {
    if (label != 0) blocked += step.blocked;  // messages of modes are in no step
  }
  std::uint64_t injection = 0;
  for (const auto& [step, cycles] : result.injection_waits) injection += cycles;
  const std::uint64_t ejection = blocked.same_step_ejection;

  std::string detail = fmt::format(
      "{} flit-cycles blocked by a message of the same step, {} conflicts in the reference",
      blocked.same_step - ejection, result.reference_conflicts);
  if (ejection + injection > 0) {
    detail += fmt::format("; {} before an ejection channel, {} cycles before an injection channel",
                          ejection, injection);
  }
  detail += fmt::format("; {} flit-cycles waited for control packets", blocked.control);
  if (s.calls.size() > 1) {
    detail += fmt::format(", {} for messages of other calls", blocked.other_call);
  }
  if (sharing.most > 1) {
    detail += fmt::format(
        "; each step's busiest channel had as many messages as in the reference, at most {}",
        sharing.most);
  }
  const char* const name = "stepwise contention";
  if (!sharing.difference.empty()) return failed(name, sharing.difference);
  if (c.ranks.listed || !c.algorithm->contention_free(net)) {
    return {name, Verdict::kNotRun, detail + "; none is promised to be free of it here"};
  }
  if (result.reference_conflicts > 0) return failed(name, detail);
  const systemc::RouterConfig& router = s.network.router;
  if (router.one_port() || router.local_ports < router.external_ports()) {
    return {name, Verdict::kNotRun,
            detail + fmt::format("; required 0 with all-port routers of {} local ports only",
                                 router.external_ports())};
  }
  return blocked.same_step == 0 ? held(name, detail) : failed(name, detail);
}

Check check_empty(Simulation& simulation, const RunResult& result) {
  const std::uint64_t flits = simulation.flits_in_flight();
  if (flits != 0) return failed("network", fmt::format("{} flits are left in it", flits));
  const systemc::NetworkConfig& network = result.scenario.network;
  if (const NodeId busy = simulation.first_busy(); busy < network.nodes()) {
    return failed("network",
                  fmt::format("NIC {} is not idle", node_text(network, network.address(busy))));
  }
  const std::size_t calls = result.scenario.calls.size();  // whose tags are 1, 2, ...
  if (const auto* const m = simulation.nics().messages().find_other_tag(1, calls)) {
    return failed("network", fmt::format("{}: tag {}, expected that of {}", name_of(network, *m),
                                         m->info.tag, calls > 1 ? "a call" : "the call, 1"));
  }
  std::string detail = "empty at the end, every NIC idle";
  if (!simulation.at_rest()) {
    detail += fmt::format("; processors still worked {} cycles later", simulation.rest_limit());
  }
  return held("network", std::move(detail));
}

/// The schedule by which results are combined; a collective of the user's own has it from its rule.
reference::Schedule schedule_of(const Collective& c) {
  return c.own && !c.own->by_rule ? reference::Schedule{} : c.schedule();
}

/// Checks one call; the checks have no number yet.
std::vector<Check> check_call(Simulation& simulation, const CheckedCall& checked,
                              const MemoryPlan& plan, const reference::Inputs& inputs,
                              CallResult& result) {
  const Collective& c = checked.collective();
  const reference::Schedule schedule = schedule_of(c);
  const MemoryVerdict memory =
      check_memory(simulation, checked.scenario, plan, checked.number, inputs, schedule);
  result.nodes_verified = memory.nodes_verified;
  const auto with_reference = [&c](const char* name, const auto& check) {
    return c.own ? Check{name, Verdict::kNotRun, "the reference does not know this collective"}
                 : check();
  };
  std::vector<Check> checks = {
      verdict_of("bytes", memory),
      with_reference("schedule", [&] { return check_schedule(checked, schedule); }),
      check_calls(simulation, checked),
      with_reference("order", [&] { return check_order(checked, schedule); }),
      with_reference("stepwise contention",
                     [&] { return check_contention(checked.scenario, c, schedule, result); })};
  const auto barrier = check_barrier(c, checked.scenario.network, result);
  if (barrier) checks.push_back(*barrier);
  return checks;
}

}  // namespace

void check_own_memory(Simulation& simulation, const Scenario& scenario,
                      const std::vector<reference::Inputs>& inputs) {
  const MemoryPlan plan = plan_memory(scenario);
  for (std::size_t i = 0; i < scenario.calls.size(); ++i) {
    const Collective& c = scenario.calls[i].collective;
    const reference::Schedule schedule = c.reduces() ? schedule_of(c) : reference::Schedule{};
    (void)check_memory(simulation, scenario, plan, i, inputs[i], schedule);
  }
  if (plan.end > plan.calls_end) (void)check_groups(simulation, scenario, plan);
}

void check_run(Simulation& simulation, const std::vector<reference::Inputs>& inputs,
               const std::vector<CallMessages>& messages, RunResult& result) {
  const Scenario& scenario = result.scenario;
  const MemoryPlan plan = plan_memory(scenario);
  result.checks.clear();
  for (std::size_t i = 0; i < scenario.calls.size(); ++i) {
    const CheckedCall checked{scenario, i, result.calls[i], messages[i]};
    for (Check& check : check_call(simulation, checked, plan, inputs[i], result.calls[i])) {
      check.call = i + 1;
      result.checks.push_back(std::move(check));
    }
  }
  if (plan.end > plan.calls_end) {
    const MemoryVerdict behind = check_groups(simulation, scenario, plan);
    const char* const name = scenario.groups.empty() ? "memory" : "groups";
    result.checks.push_back(verdict_of(name, behind));
  }
  result.checks.push_back(check_empty(simulation, result));
}

RunResult checked_result(const Scenario& scenario, Simulation& simulation,
                         const std::vector<reference::Inputs>& inputs, Collected what) {
  const std::vector<CallMessages> messages = messages_by_call(simulation, scenario.calls.size());
  RunResult result = collect(scenario, simulation, inputs, messages, what);
  check_run(simulation, inputs, messages, result);
  return result;
}

}  // namespace annelid::simulation
