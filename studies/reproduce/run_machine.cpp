#include "studies/reproduce/run_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "simulation/machine/contents.hpp"
#include "simulation/machine/memory_estimate.hpp"
#include "simulation/results/collect.hpp"
#include "simulation/starts.hpp"

namespace annelid::studies {
namespace {

using reproduction::Measurement;
using reproduction::Run;

/// Whether a process is there to receive anything: not a broadcast's source, nor a transposition's
/// diagonal.
bool receives(const Run& run, int node) {
  if (run.operation == reference::Operation::kBroadcast) {
    return node != reference::index_of(run.network, run.root);
  }
  const reference::Node place = reference::node_at(run.network, node);
  return run.operation != reference::Operation::kTranspose || place.x != place.y;
}

/// The scenario of a run's arguments.
simulation::Scenario scenario_of(const Run& run) {
  const std::vector<simulation::Key> keys = simulation::run_keys();
  const std::vector<std::string> words = run.arguments();
  std::vector<simulation::Override> overrides;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& option = words[i];
    const auto key = std::ranges::find_if(
        keys, [&](const simulation::Key& k) { return k.option != nullptr && option == k.option; });
    if (key == keys.end()) throw std::logic_error(option + " is no option of a run");
    const bool is_flag = key->metavar == nullptr;
    overrides.push_back({key->name, option, is_flag ? "true" : words.at(++i)});
  }
  return simulation::Scenario::read({}, overrides);
}

/// When each node finished; of a group, each of its members by rank.
std::vector<Cycle> finished_cycles(const simulation::RunResult& result) {
  const simulation::Collective& c = result.scenario.call().collective;
  if (!c.ranks.listed) return result.call().finished;
  std::vector<Cycle> by_rank;
  for (const reference::Node& node : c.ranks.listed->nodes()) {
    const int place = reference::index_of(c.network, node);
    by_rank.push_back(result.call().finished[static_cast<std::size_t>(place)]);
  }
  return by_rank;
}

/// The longest wait of an account; empty if there is none.
std::string longest_wait(const simulation::Account& account) {
  std::map<std::string, Cycle> waits;
  for (const simulation::Stretch& s : account.stretches) {
    if (s.cause == simulation::Cause::kWaits) waits[s.for_whom] += s.cycles;
  }
  const auto longest = std::ranges::max_element(waits, {}, [](const auto& w) { return w.second; });
  if (longest == waits.end()) return "";
  return fmt::format("{} cycles for {}", longest->second, longest->first);
}

/// What a call took, or the last start of a prepared one. A call ends a cycle after its last
/// receive.
Measurement measurement_of(const Run& run, const simulation::RunResult& result,
                           const simulation::Account& account) {
  Measurement m;
  const bool of_group = !run.group.empty();  // then by rank
  const std::vector<Cycle> finished = finished_cycles(result);
  const Cycle start = result.starts.empty() ? result.start : result.starts.back().first_called;
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < finished.size(); ++i) {
    const Cycle cycle = finished[i] - 1 - start;
    m.last = std::max(m.last, cycle);
    if (!of_group && !receives(run, static_cast<int>(i))) continue;
    sum += static_cast<double>(cycle);
    ++count;
  }
  m.mean = count > 0 ? sum / count : 0;
  const simulation::CallResult& call = result.call();
  m.messages = result.messages();
  m.bytes = call.bytes();
  m.in_sequence = call.bytes_in_sequence();
  for (const auto& [label, step] : call.steps) {
    m.steps = std::max<std::uint64_t>(m.steps, label);
    m.hops += step.hops;
    m.stepwise += step.blocked.same_step;
    m.depth += step.blocked.other_step;
    m.control += step.blocked.control;
  }
  for (std::size_t i = 0; i < simulation::kCauses; ++i) {
    m.account.at(i) = account.total(static_cast<simulation::Cause>(i));
  }
  m.wait = longest_wait(account);
  m.call_to_send = call.firmware_cycles.call_to_send.most;
  return m;
}

}  // namespace

RunMachine::RunMachine(std::span<const Run> runs) : scenario_(scenario_of(runs.front())) {
  simulation::require_memory(simulation::estimate_memory(scenario_),
                             scenario_.origin("network.size"));
  program_ = simulation::read_program(scenario_.firmware, scenario_.origin("firmware"));
  std::uint64_t memory = 0;
  for (const Run& run : runs) {
    memory = std::max(memory, simulation::plan_memory(scenario_of(run)).end);
  }
  const bool native = scenario_.firmware.kind == simulation::FirmwareChoice::Kind::kNative;
  simulation_.emplace(scenario_, native ? nullptr : &program_.image, std::set<NodeId>(), memory);
  systemc::Fabric::elaborate();  // before there are copies
}

Measurement RunMachine::measure(const Run& run) {
  scenario_ = scenario_of(run);
  const std::vector<reference::Inputs> inputs = simulation::inputs_of(scenario_);
  Progress silent;
  const simulation::RunResult result =
      simulation::run_checked(scenario_, *simulation_, inputs, silent);
  result.require_passed();
  return measurement_of(run, result, simulation::account_of(*simulation_, result));
}

}  // namespace annelid::studies
