#include "simulation/results/collect.hpp"

#include <algorithm>
#include <utility>

#include "simulation/machine/contents.hpp"
#include "simulation/results/step_waits.hpp"
#include "systemc/network/route.hpp"

namespace annelid::simulation {
namespace {

std::vector<ChannelLoad> channel_loads(const systemc::NetworkConfig& network,
                                       const systemc::PacketTracker& packets) {
  std::vector<ChannelLoad> loads;
  for (NodeId n = 0; n < network.nodes(); ++n) {
    const auto add = [&](std::string channel, std::uint64_t flits) {
      if (flits > 0) loads.push_back({network.address(n), std::move(channel), flits});
    };
    for (Port p = 0; p < network.router.ports(); ++p) {
      add(output_channel_name(network.router, p), packets.channel_load(n, p));
    }
    for (Port l = 0; l < network.router.local_ports; ++l) {
      add(systemc::injection_channel_name(l), packets.injection_load(n, l));
    }
  }
  return loads;
}

/// By node: when its first call began, and its last one ended. A node without calls ended before
/// all others.
struct CallTimes {
  std::vector<Cycle> called, finished;
};

CallTimes times_of(const RunResult& result) {
  CallTimes times{result.call().called, std::vector<Cycle>(result.call().called.size(), 0)};
  for (const CallResult& call : result.calls) {
    for (std::size_t node = 0; node < times.called.size(); ++node) {
      times.called[node] = std::min(times.called[node], call.called[node]);
      if (call.finished[node] == kNever) continue;
      times.finished[node] = std::max(times.finished[node], call.finished[node]);
    }
  }
  return times;
}

}  // namespace

std::vector<std::vector<nic::MessageRecord>> messages_by_call(const Simulation& simulation,
                                                              std::size_t calls) {
  std::vector<nic::MessageRecord> all = simulation.nics().messages().records();
  std::vector<std::vector<nic::MessageRecord>> by_call(calls);
  if (calls == 1) {  // whatever its tag
    by_call.front() = std::move(all);
    return by_call;
  }
  for (const nic::MessageRecord& message : all) {
    const std::size_t call = message.info.tag - std::size_t{1};
    if (call < calls) by_call[call].push_back(message);
  }
  return by_call;
}

RunResult collect(const Scenario& scenario, const Simulation& simulation,
                  const std::vector<reference::Inputs>& inputs) {
  RunResult r;
  r.scenario = scenario;
  r.start = simulation.start();
  r.control = simulation.packets().control();
  const auto messages = messages_by_call(simulation, scenario.calls.size());
  Cycle last = r.start;
  for (std::size_t i = 0; i < scenario.calls.size(); ++i) {
    CallResult& call = r.calls.emplace_back();
    const Collective& collective = scenario.calls[i].collective;
    call.in_modes = collective.in_barrier_mode || collective.in_develop_mode;
    call.crc32 = crc32_of(inputs[i]);
    call.called = simulation.called(i);
    call.finished = simulation.nics().finished(i);
    call.steps = scenario.calls.size() == 1
                     ? simulation.packets().steps()
                     : simulation.packets().steps(static_cast<std::uint16_t>(i + 1));
    call.injection_waits = injection_waits(messages[i]);
    call.firmware_cycles = firmware_cycles(messages[i], call.called);
    last = std::max(last, call.last_finished());
  }
  r.cycles = last + 1 - r.start;
  r.instructions = simulation.instructions();
  r.channels = channel_loads(scenario.network, simulation.packets());
  return r;
}

Account account_of(const Simulation& simulation, const RunResult& result) {
  const std::vector<nic::MessageRecord> messages = simulation.nics().messages().records();
  const CallTimes times = times_of(result);
  return account_of({result.scenario.nic, messages, simulation.packets().packets(), times.called,
                     times.finished, simulation.start()});
}

}  // namespace annelid::simulation
