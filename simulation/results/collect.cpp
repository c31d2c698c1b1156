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

void add_details(RunResult& r, const Simulation& simulation,
                 const std::vector<reference::Inputs>& inputs,
                 const std::vector<CallMessages>& messages) {
  for (std::size_t i = 0; i < r.calls.size(); ++i) {
    r.calls[i].crc32 = crc32_of(inputs[i]);
    r.calls[i].firmware_cycles = firmware_cycles(messages[i].all, r.calls[i].called);
  }
  r.instructions = simulation.instructions();
  r.channels = channel_loads(r.scenario.network, simulation.packets());
}

}  // namespace

std::vector<CallMessages> messages_by_call(const Simulation& simulation, std::size_t calls) {
  std::vector<nic::MessageRecord> all = simulation.nics().messages().records();
  std::vector<CallMessages> by_call;
  by_call.reserve(calls);
  if (calls == 1) {  // whatever its tag
    by_call.emplace_back(std::move(all));
    return by_call;
  }
  std::vector<std::vector<nic::MessageRecord>> lists(calls);
  for (const nic::MessageRecord& message : all) {
    const std::size_t call = message.info.tag - std::size_t{1};
    if (call < calls) lists[call].push_back(message);
  }
  for (std::vector<nic::MessageRecord>& list : lists) by_call.emplace_back(std::move(list));
  return by_call;
}

RunResult collect(const Scenario& scenario, const Simulation& simulation,
                  const std::vector<reference::Inputs>& inputs,
                  const std::vector<CallMessages>& messages, Collected what) {
  RunResult r;
  r.scenario = scenario;
  r.ready = simulation.ready();
  r.start = simulation.start();
  r.control = simulation.packets().control();
  Cycle last = r.start;
  for (std::size_t i = 0; i < scenario.calls.size(); ++i) {
    CallResult& call = r.calls.emplace_back();
    const Collective& collective = scenario.calls[i].collective;
    call.in_modes = collective.in_barrier_mode || collective.in_develop_mode;
    call.called = simulation.called(i);
    call.finished = simulation.nics().finished(i);
    call.steps = scenario.calls.size() == 1
                     ? simulation.packets().steps()
                     : simulation.packets().steps(static_cast<std::uint16_t>(i + 1));
    call.injection_waits = injection_waits(messages[i]);
    last = std::max(last, call.last_finished());
  }
  r.cycles = last + 1 - r.start;
  if (what == Collected::kAll) add_details(r, simulation, inputs, messages);
  return r;
}

Account account_of(const Simulation& simulation, const RunResult& result) {
  const std::vector<nic::MessageRecord> messages = simulation.nics().messages().records();
  const CallTimes times = times_of(result);
  return account_of({result.scenario.nic, messages, simulation.packets().packets(), times.called,
                     times.finished, simulation.start()});
}

}  // namespace annelid::simulation
