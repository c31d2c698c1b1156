// A Verilated router as a node of the network. It replaces a native Router, and its neighbours see
// no difference.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "systemc/cosim/rtl_model.hpp"
#include "systemc/modules/node_router.hpp"

namespace annelid::systemc {

class RtlRouter final : public NodeRouter, private Clocked {
 public:
  /// Throws ConfigError if the configuration was not Verilated.
  RtlRouter(const sc_core::sc_module_name& name, const RouterSite& site);
  ~RtlRouter() override;

  void state(RouterState& state) override;
  unsigned flits_in(Port port, Vc vc) override;
  bool was_used(Port port, Vc vc) override;
  CutEnd* cut_end(Port link) override;

 private:
  class Inlet;

  /// The inputs that the neighbours set in one cycle, by link.
  struct Inputs {
    std::array<std::optional<Flit>, kMaxPorts> flits;
    std::array<std::optional<Vc>, kMaxPorts> credits;
    bool any = false;
  };

  /// A flit that the switch sends, and the output that it takes.
  struct Sent {
    Port out = 0;
    Grant grant;
    Flit flit;
  };

  [[nodiscard]] Inputs& inputs_of(Cycle cycle) { return inputs_[cycle % inputs_.size()]; }
  Cycle step(Cycle now) override;
  void clock_to(Cycle now);
  void note_used();
  void drive_outputs();
  void look(Cycle now, FabricObserver& observer);
  void report_sent(Cycle now, FabricObserver& observer);

  std::unique_ptr<RtlModel> rtl_;
  std::vector<std::unique_ptr<Inlet>> inlets_;
  std::array<Inputs, 8> inputs_;  // by cycle, modulo their number: what crosses a cut comes early
  std::vector<Sent> granted_;     // by the last switch allocation
  std::array<std::uint8_t, kMaxPorts> used_{};  // by input: the VCs whose FIFO has held a flit
  Cycle registers_at_ = 0;  // the registers are those at the start of this cycle
  Cycle awake_until_ = 0;   // no register changes after this cycle unless something arrives
  int handle_;
};

/// A RouterFactory that makes Verilated routers for the nodes in `rtl`, and native ones elsewhere.
/// It is empty if there are only native ones.
RouterFactory make_rtl_routers(std::set<NodeId> rtl);

}  // namespace annelid::systemc
