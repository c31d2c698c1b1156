#include "systemc/rtl_router.hpp"

#include <algorithm>
#include <utility>

#include "systemc/router.hpp"

namespace annelid {

/// A port's end of its link: keeps what the neighbour says in cycle t for the edge that ends t.
class RtlRouter::Inlet final : public LinkIf {
 public:
  Inlet(RtlRouter& router, Port port) : router_(router), port_(port) {}

  void put_flit(const Flit& flit) override {
    inputs().flits[port_] = flit;
    if (!router_.config().is_external(port_)) router_.fabric().flit_entered();
    wake();
  }
  void put_credit(Vc vc) override {
    inputs().credits[port_] = vc;
    wake();
  }

 private:
  Inputs& inputs() { return router_.inputs_[router_.fabric().now() & 1]; }
  void wake() { router_.fabric().wake(router_.handle_, router_.fabric().now() + 1); }

  RtlRouter& router_;
  Port port_;
};

RtlRouter::RtlRouter(const sc_core::sc_module_name& name, const RouterSite& site)
    : NodeRouter(name, site),
      rtl_(make_rtl_model(site.network.router)),
      handle_(site.fabric.add(*this)) {
  rtl_->reset(site.address);
  for (Port p = 0; p < site.network.router.links(); ++p) {
    inlets_.push_back(std::make_unique<Inlet>(*this, p));
    from_neighbour[p].bind(*inlets_.back());
  }
}

RtlRouter::~RtlRouter() = default;

void RtlRouter::clock_to(Cycle now) {
  if (registers_at_ == now) return;
  // One edge is enough after any sleep: it slept because no register could change before an input
  // came, and an input wakes it in the next cycle.
  Inputs& inputs = inputs_[(now - 1) & 1];
  for (Port p = 0; p < config().ports(); ++p) {
    if (inputs.flits[p]) rtl_->set_flit(p, *std::exchange(inputs.flits[p], std::nullopt));
    if (inputs.credits[p]) rtl_->set_credit(p, *std::exchange(inputs.credits[p], std::nullopt));
  }
  rtl_->clock();
  registers_at_ = now;
}

bool RtlRouter::drive_outputs() {
  bool any = false;
  for (Port p = 0; p < config().ports(); ++p) {
    Flit flit;
    Vc vc = 0;
    if (rtl_->flit(p, flit)) {
      any = true;
      to_neighbour[p]->put_flit(flit);
      fabric().flit_moved();
      if (!config().is_external(p)) fabric().flit_left();
    }
    if (rtl_->credit(p, vc)) to_neighbour[p]->put_credit(vc);
  }
  return any;
}

bool RtlRouter::report(Cycle now) {
  FabricObserver& observer = *fabric().observer();
  RouterState registers;
  rtl_->observe(registers);
  for (Port out = 0; out < config().ports(); ++out) {
    const Grant& grant = registers.grant[out];
    Flit flit;
    if (!rtl_->flit(out, flit)) continue;
    observer.moved(now, node(), grant.in_port, grant.in_vc, out, flit);
  }
  report_blocked(registers, site(), now, observer);
  return std::any_of(registers.input.begin(), registers.input.end(), [](const auto& port) {
    return std::any_of(port.begin(), port.end(), [](const InputVcState& vc) { return vc.count; });
  });
}

Cycle RtlRouter::step(Cycle now) {
  clock_to(now);
  const bool moved = drive_outputs();
  // Who is watched stays awake while it holds flits, to report the blocked ones of every cycle.
  const bool holds_flits = fabric().observer() != nullptr && report(now);
  return moved || holds_flits ? now + 1 : kNever;
}

void RtlRouter::state(RouterState& state) {
  clock_to(fabric().now());
  rtl_->observe(state);
}

RouterFactory make_rtl_routers(std::set<NodeId> rtl) {
  return [nodes = std::move(rtl)](const char* name,
                                  const RouterSite& site) -> std::unique_ptr<NodeRouter> {
    if (nodes.contains(site.node)) return std::make_unique<RtlRouter>(name, site);
    return make_native_router(name, site);
  };
}

}  // namespace annelid
