#include "simulation/checks/prepare_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulation/checks/message_text.hpp"

namespace annelid::simulation {
namespace {

Check failed_check(std::string name, std::string detail) {
  return {std::move(name), Verdict::kFailed, std::move(detail)};
}

/// By node: the messages of a schedule that it sends, and that it receives.
std::vector<std::uint64_t> transfers_of(const Collective& c) {
  std::vector<std::uint64_t> transfers(static_cast<std::size_t>(c.network.nodes()));
  for (const reference::Step& step : c.schedule().steps) {
    for (const reference::Message& m : step) {
      ++transfers[static_cast<std::size_t>(reference::index_of(c.network, m.from))];
      ++transfers[static_cast<std::size_t>(reference::index_of(c.network, m.to))];
    }
  }
  return transfers;
}

Check check_list(const RunResult& result, std::size_t call, const StartResult& start,
                 const std::vector<PreparedAnswer>& answers) {
  const Scenario& s = result.scenario;
  const Collective& c = s.calls[call].collective;
  if (c.own) return {"lists", Verdict::kNotRun, "the reference does not know this collective"};
  const std::vector<std::uint64_t> transfers = transfers_of(c);
  std::uint64_t sum = 0, most = 0;
  for (NodeId node = 0; node < answers.size(); ++node) {
    const std::uint64_t listed = answers[node].bytes / reg::kListDescriptorBytes;
    sum += listed;
    most = std::max(most, listed);
    if (transfers[node] <= listed) continue;
    return failed_check("lists",
                        fmt::format("node {}: a list of {} transfers, expected at least the {} "
                                    "messages that it sends and receives",
                                    node_name_of(s.network, node), listed, transfers[node]));
  }
  const bool alone = std::ranges::all_of(
      s.calls, [](const ScenarioCall& other) { return other.collective.prepared; });
  if (alone && start.instructions != 0) {
    return failed_check("lists", fmt::format("the cores executed {} instructions, expected none",
                                             start.instructions));
  }
  return {"lists", Verdict::kHeld,
          fmt::format("{} transfers, at most {} at a node, played without the cores", sum, most)};
}

/// What is wrong with a node's answers; "" if nothing is.
std::string wrong_answer(const RunResult& result, NodeId node,
                         const std::vector<std::vector<PreparedAnswer>>& answers) {
  const Scenario& s = result.scenario;
  std::set<std::uint32_t> handles;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Collective& c = s.calls[i].collective;
    const bool called = c.calls(reference::node_at(c.network, static_cast<int>(node)));
    if (!c.prepared || !called) continue;
    const auto [handle, bytes] = answers[i][node];
    const bool whole = bytes % reg::kListDescriptorBytes == 0;
    if (handle == 0 || handle > UINT16_MAX || !handles.insert(handle).second) {
      return fmt::format("node {}: the handle {}, expected another one of 1 to 65535",
                         node_name_of(s.network, node), handle);
    }
    if (bytes <= c.plan_bytes && whole) continue;
    return fmt::format("node {}: a list of {} bytes, expected a multiple of {} up to {}",
                       node_name_of(s.network, node), bytes, reg::kListDescriptorBytes,
                       c.plan_bytes);
  }
  return "";
}

}  // namespace

void add_list_checks(const Simulation& simulation, const StartResult& start, RunResult& result) {
  const auto& answers = simulation.answers();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i].empty()) continue;
    Check check = check_list(result, i, start, answers[i]);
    check.call = i + 1;
    const auto next = std::ranges::find_if(
        result.checks, [i](const Check& c) { return c.call > i + 1 || c.call == 0; });
    result.checks.insert(next, std::move(check));
  }
}

void add_prepare_checks(const Simulation& simulation, RunResult& result) {
  const auto& answers = simulation.answers();
  std::size_t calls = 0;
  for (const std::vector<PreparedAnswer>& of_call : answers) {
    if (!of_call.empty()) ++calls;
    for (const PreparedAnswer& answer : of_call) {
      result.list_bytes = std::max<std::uint64_t>(result.list_bytes, answer.bytes);
    }
  }
  if (calls == 0) return;
  result.prepare_cycles = simulation.prepare_cycles();
  Check check{"prepare", Verdict::kHeld,
              fmt::format("{} call{}, each with a handle of its own at its nodes; the longest list "
                          "has {} bytes",
                          calls, calls == 1 ? "" : "s", result.list_bytes)};
  for (NodeId node = 0; node < result.scenario.network.nodes(); ++node) {
    const std::string wrong = wrong_answer(result, node, answers);
    if (wrong.empty()) continue;
    check = failed_check("prepare", wrong);
    break;
  }
  result.checks.push_back(std::move(check));
}

}  // namespace annelid::simulation
