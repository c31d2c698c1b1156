// The measure of the fabric: the same router kernels and traffic in the plainest C++ loop, without
// SystemC's kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "systemc/router_kernel.hpp"
#include "systemc/traffic.hpp"

namespace annelid {

/// A mesh of kernels with a TrafficNode at every node, stepped by two loops over all nodes.
class PlainNetwork final : public Scheduler {
 public:
  PlainNetwork(const NetworkConfig& config, const TrafficConfig& traffic);
  ~PlainNetwork() override;

  void run(Cycle cycles);
  [[nodiscard]] std::uint64_t flits_moved() const { return context_.moved; }
  [[nodiscard]] TrafficCounts counts() const;

  [[nodiscard]] Cycle now() const override { return now_; }
  int add(Clocked& component) override;  // not used: its nodes are TrafficNodes
  void wake(int handle, Cycle at) override;

 private:
  class Inlet;

  void join_routers(const NetworkConfig& config);
  void join_nodes(const NetworkConfig& config);

  Cycle now_ = 0;
  std::vector<std::vector<Flit>> rings_;
  std::vector<RouterKernel> kernels_;
  std::vector<std::uint8_t> awake_[2];
  std::vector<std::unique_ptr<TrafficNode>> nodes_;
  std::vector<Cycle> due_;  // of the nodes
  std::vector<std::unique_ptr<Inlet>> inlets_;
  StepContext context_;
};

}  // namespace annelid
