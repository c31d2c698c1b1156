// The measure of the fabric: the same routers and traffic in the plainest C++ loop, without
// SystemC's kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "systemc/kernel/router_assembly.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid {

/// A network of routers with a systemc::TrafficNode at every node, stepped by two loops over all
/// nodes.
class PlainNetwork final : public systemc::Scheduler, private systemc::RouterArrayHost {
 public:
  PlainNetwork(const systemc::NetworkConfig& config, const systemc::TrafficConfig& traffic);
  ~PlainNetwork() override;

  void run(Cycle cycles);
  [[nodiscard]] std::uint64_t flits_moved() const { return routers_->flits_moved(); }
  [[nodiscard]] systemc::TrafficCounts counts() const;

  [[nodiscard]] Cycle now() const override { return now_; }
  int add(systemc::Clocked& component) override;  // not used: its nodes are TrafficNodes
  void wake(int handle, Cycle at) override;

 private:
  void join_nodes(const systemc::NetworkConfig& config, systemc::RouterAssembly& routers);

  std::unique_ptr<systemc::RouterArray> routers_;
  std::vector<std::unique_ptr<systemc::TrafficNode>> nodes_;
  std::vector<Cycle> due_;  // of the nodes; then of drains_, which is given in every cycle
  systemc::DelayedCredits drains_;
};

}  // namespace annelid
