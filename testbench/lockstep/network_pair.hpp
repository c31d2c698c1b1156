// A network of Verilated routers and a network of model routers under the same traffic, side by
// side: all registers of all routers are compared in every cycle.
#pragma once

#include <string>

#include "systemc/fabric/fabric.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid::lockstep {

class NetworkPair {
 public:
  /// `model` and `rtl` are the same but in tests of the comparison itself.
  NetworkPair(const std::string& name, const systemc::NetworkConfig& model,
              const systemc::NetworkConfig& rtl, const systemc::TrafficConfig& traffic);

  /// Runs both networks for `cycles` cycles, or until a register differs. Returns that difference,
  /// with its cycle and node; empty if there is none.
  [[nodiscard]] std::string run(Cycle cycles);

  [[nodiscard]] std::uint64_t flits_moved() const { return rtl_.fabric.flits_moved(); }

 private:
  struct Side {
    Side(const std::string& name, const systemc::NetworkConfig& config,
         const systemc::TrafficConfig& traffic_config, const systemc::RouterFactory& make_router);
    systemc::Fabric fabric;
    systemc::Network network;
    systemc::Traffic traffic;
  };

  [[nodiscard]] std::string difference();

  Side model_, rtl_;
};

}  // namespace annelid::lockstep
