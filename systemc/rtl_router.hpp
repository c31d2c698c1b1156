// A Verilated router as a node of the network: it stands where a native Router could stand, and
// nobody around it can tell.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "systemc/node_router.hpp"
#include "systemc/rtl_model.hpp"

namespace annelid {

class RtlRouter final : public NodeRouter, private Clocked {
 public:
  /// Throws ConfigError if the configuration was not Verilated.
  RtlRouter(const sc_core::sc_module_name& name, const RouterSite& site);
  ~RtlRouter() override;

  void state(RouterState& state) override;

 private:
  class Inlet;

  /// What the neighbours put on the input pins in one cycle.
  struct Inputs {
    std::array<std::optional<Flit>, kMaxPorts> flits;
    std::array<std::optional<Vc>, kMaxPorts> credits;
  };

  Cycle step(Cycle now) override;
  void clock_to(Cycle now);
  bool drive_outputs();    // true if a flit left
  bool report(Cycle now);  // true if flits are left

  std::unique_ptr<RtlModel> rtl_;
  std::vector<std::unique_ptr<Inlet>> inlets_;
  std::array<Inputs, 2> inputs_;  // by the cycle's parity
  Cycle registers_at_ = 0;        // the cycle at whose start the registers stand
  int handle_;
};

/// The RouterFactory of a network whose nodes in `rtl` are Verilated and the others native.
RouterFactory make_rtl_routers(std::set<NodeId> rtl);

}  // namespace annelid
