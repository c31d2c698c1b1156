#include "testbench/lockstep/network_pair.hpp"

#include <fmt/format.h>

#include <set>

#include "systemc/cosim/rtl_router.hpp"
#include "testbench/lockstep/difference.hpp"

namespace annelid::lockstep {
namespace {

systemc::RouterFactory rtl_everywhere(const systemc::NetworkConfig& config) {
  std::set<NodeId> nodes;
  for (NodeId n = 0; n < config.nodes(); ++n) nodes.insert(n);
  return systemc::make_rtl_routers(nodes);
}

}  // namespace

NetworkPair::Side::Side(const std::string& name, const systemc::NetworkConfig& config,
                        const systemc::TrafficConfig& traffic_config,
                        const systemc::RouterFactory& make_router)
    : fabric((name + "_fabric").c_str()),
      network((name + "_network").c_str(), fabric, config, make_router),
      traffic((name + "_traffic").c_str(), network, traffic_config) {}

NetworkPair::NetworkPair(const std::string& name, const systemc::NetworkConfig& model,
                         const systemc::NetworkConfig& rtl, const systemc::TrafficConfig& traffic)
    : model_(name + "_model", model, traffic, systemc::make_native_router),
      rtl_(name + "_rtl", rtl, traffic, rtl_everywhere(rtl)) {}

std::string NetworkPair::run(Cycle cycles) {
  std::string found;
  for (const Cycle end = rtl_.fabric.now() + cycles; found.empty() && rtl_.fabric.now() < end;) {
    model_.fabric.run_until(model_.fabric.now() + 1);
    rtl_.fabric.run_until(rtl_.fabric.now() + 1);
    found = difference();
  }
  return found;
}

std::string NetworkPair::difference() {
  systemc::RouterState model, rtl;
  for (NodeId node = 0; node < rtl_.network.config().nodes(); ++node) {
    model_.network.state(node, model);
    rtl_.network.state(node, rtl);
    const std::string found = lockstep::difference(model, rtl);
    if (found.empty()) continue;
    return fmt::format("cycle {}, node {}: {}", rtl_.fabric.now(), node, found);
  }
  return {};
}

}  // namespace annelid::lockstep
