#include "simulation/results/collect.hpp"

#include <algorithm>

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

}  // namespace

RunResult collect(const Scenario& scenario, const Simulation& simulation,
                  const reference::Inputs& inputs) {
  RunResult r;
  r.scenario = scenario;
  r.crc32 = crc32_of(inputs);
  r.finished = simulation.nics().finished();
  r.cycles = std::ranges::max(r.finished) + 1 - simulation.start();
  r.steps = simulation.packets().steps();
  r.control = simulation.packets().control();
  const std::vector<nic::MessageRecord> messages = simulation.nics().messages().records();
  r.injection_waits = injection_waits(messages);
  r.firmware_cycles = firmware_cycles(messages, simulation.called());
  r.instructions = simulation.instructions();
  r.channels = channel_loads(scenario.network, simulation.packets());
  return r;
}

}  // namespace annelid::simulation
