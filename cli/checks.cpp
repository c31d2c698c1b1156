#include "cli/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "reference/contention.hpp"
#include "reference/edn.hpp"
#include "reference/operations.hpp"
#include "reference/recursive_doubling.hpp"

namespace annelid::cli {
namespace {

reference::Network size_of(const Scenario& s) {
  return {s.network.size[0], s.network.size[1], s.network.size[2]};
}
reference::Node node_of(Address a) { return {a.x, a.y, a.z}; }

Check held(std::string name, std::string detail) {
  return {std::move(name), Verdict::kHeld, std::move(detail)};
}
Check failed(std::string name, std::string detail) {
  return {std::move(name), Verdict::kFailed, std::move(detail)};
}

/// (step, from, to, bytes), ordered.
using Sent = std::tuple<std::size_t, reference::Node, reference::Node, std::uint64_t>;

std::string shown(const Sent& m) {
  const auto& [step, from, to, bytes] = m;
  return fmt::format("step {}: {} -> {}, {} bytes", step, to_string(from), to_string(to), bytes);
}

Check check_bytes(Simulation& simulation, std::span<const std::byte> payload, RunResult& result) {
  constexpr std::size_t kBeyond = 64;  // bytes after the buffer that must have stayed 0
  const Scenario& s = result.scenario;
  std::vector<std::byte> found(payload.size() + kBeyond);
  const std::vector<std::byte> before(payload.size());
  std::string difference;
  for (NodeId n = 0; n < s.network.nodes(); ++n) {
    const Address at = s.network.address(n);
    const auto expected =
        reference::after_broadcast(size_of(s), node_of(s.root), node_of(at), payload, before);
    simulation.nic(n).memory().read(0, found);
    std::size_t i = 0;
    const auto want = [&](std::size_t k) {
      return k < expected.size() ? expected[k] : std::byte{};
    };
    while (i < found.size() && found[i] == want(i)) ++i;
    if (i == found.size()) {
      ++result.nodes_verified;
    } else if (difference.empty()) {
      difference = fmt::format("node {},{}, byte {}: expected {:#04x}, found {:#04x}", at.x, at.y,
                               i, static_cast<int>(want(i)), static_cast<int>(found[i]));
    }
  }
  const std::string counts = fmt::format("{} bytes at {} of {} nodes", payload.size(),
                                         result.nodes_verified, s.network.nodes());
  if (!difference.empty()) return failed("payload", difference + "; " + counts);
  return held("payload", counts + " equal the file");
}

reference::Schedule expected_schedule(const Scenario& s, std::uint64_t bytes) {
  if (s.algorithm == Algorithm::kEdn) {
    return reference::edn_broadcast(size_of(s), node_of(s.root), bytes);
  }
  return reference::recursive_doubling_broadcast(size_of(s), node_of(s.root), bytes);
}

Check check_schedule(const Simulation& simulation, const reference::Schedule& schedule,
                     const Scenario& s) {
  std::vector<Sent> expected, found;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    for (const reference::Message& m : schedule.steps[i]) {
      expected.emplace_back(i + 1, m.from, m.to, m.bytes);
    }
  }
  for (const MessageRecord& m : simulation.nics().messages().records()) {
    found.emplace_back(m.info.step, node_of(s.network.address(m.info.source)),
                       node_of(s.network.address(m.info.destination)), m.info.bytes);
    if (m.received == kNever) return failed("schedule", shown(found.back()) + " never arrived");
  }
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  const auto [e, f] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
  if (e != expected.end() && (f == found.end() || *e < *f)) {
    return failed("schedule", "missing " + shown(*e));
  }
  if (f != found.end()) return failed("schedule", "not in the reference: " + shown(*f));
  return held("schedule", fmt::format("{} messages in {} steps equal the reference's", found.size(),
                                      schedule.steps.size()));
}

/// Both broadcasts are proved free of stepwise contention for all-port routers, one port for each
/// external channel; with fewer ports the messages of a step share those.
Check check_contention(const reference::Schedule& schedule, const RunResult& result) {
  std::size_t conflicts = 0;
  for (const auto& step : reference::contention(size_of(result.scenario), schedule))
    conflicts += step.conflicts.size();
  BlockedCycles blocked;
  for (const auto& [label, step] : result.steps) blocked += step.blocked;
  const std::string detail = fmt::format(
      "{} flit-cycles blocked by a message of the same step, {} conflicts in the "
      "reference",
      blocked.same_step, conflicts);
  if (result.scenario.network.router.local_ports <
      result.scenario.network.router.external_ports()) {
    return {"stepwise contention", Verdict::kNotRun,
            detail + "; required 0 with 4 local ports only"};
  }
  const bool none = blocked.same_step == 0 && conflicts == 0;
  return none ? held("stepwise contention", detail) : failed("stepwise contention", detail);
}

Check check_empty(Simulation& simulation, const RunResult& result) {
  const std::uint64_t flits = simulation.flits_in_flight();
  if (flits != 0) return failed("network", fmt::format("{} flits are left in it", flits));
  for (NodeId n = 0; n < result.scenario.network.nodes(); ++n) {
    if (simulation.nic(n).idle()) continue;
    const Address at = result.scenario.network.address(n);
    return failed("network", fmt::format("NIC {},{} is not idle", at.x, at.y));
  }
  return held("network", "empty at the end, every NIC idle");
}

}  // namespace

void check_run(Simulation& simulation, std::span<const std::byte> payload, RunResult& result) {
  const reference::Schedule schedule = expected_schedule(result.scenario, payload.size());
  result.checks = {check_bytes(simulation, payload, result),
                   check_schedule(simulation, schedule, result.scenario),
                   check_contention(schedule, result), check_empty(simulation, result)};
}

}  // namespace annelid::cli
