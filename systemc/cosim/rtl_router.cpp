#include "systemc/cosim/rtl_router.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "systemc/modules/router.hpp"

namespace annelid::systemc {

/// A port's end of its link: keeps what the neighbour says in cycle t for the edge that ends t.
class RtlRouter::Inlet final : public LinkIf, public CutEnd {
 public:
  Inlet(RtlRouter& router, Port port) : router_(router), port_(port) {}

  void put_flit(const Flit& flit) override { add(flit, router_.fabric().now()); }
  void put_credit(Vc vc) override { add(vc, router_.fabric().now()); }

  void take_flit(const Flit& flit, Cycle reaches) override {
    stay_awake(reaches);
    add(flit, reaches);
  }
  void take_credit(Vc vc, Cycle reaches) override {
    stay_awake(reaches);
    add(vc, reaches);
  }

 private:
  void add(const Flit& flit, Cycle reaches) {
    std::optional<Flit>& kept = inputs(reaches).flits[port_];
    if (kept) throw std::logic_error("a second flit in a cycle: port " + std::to_string(port_));
    kept = flit;
    if (!router_.config().is_external(port_)) router_.fabric().flit_entered();
  }
  void add(Vc vc, Cycle reaches) { inputs(reaches).credits[port_] = vc; }
  Inputs& inputs(Cycle reaches) {
    // An observer may have looked already: it has seen no edge, as the router was asleep.
    router_.registers_at_ = std::min(router_.registers_at_, reaches);
    router_.fabric().wake(router_.handle_, reaches + 1);
    Inputs& inputs = router_.inputs_of(reaches);
    inputs.any = true;
    return inputs;
  }
  /// While something is on its way, all cycles are stepped, as they are for native routers.
  void stay_awake(Cycle reaches) {
    Fabric& fabric = router_.fabric();
    for (Cycle at = fabric.now(); at <= reaches; ++at) fabric.wake(router_.handle_, at);
  }

  RtlRouter& router_;
  Port port_;
};

RtlRouter::RtlRouter(const sc_core::sc_module_name& name, const RouterSite& site)
    : NodeRouter(name, site),
      rtl_(make_rtl_model(site.network.router)),
      handle_(site.fabric.add(*this)) {
  rtl_->reset(site.address, site.network.last());
  for (Port p = 0; p < site.network.router.links(); ++p) {
    inlets_.push_back(std::make_unique<Inlet>(*this, p));
    from_neighbour[p].bind(*inlets_.back());
  }
}

RtlRouter::~RtlRouter() = default;

CutEnd* RtlRouter::cut_end(Port link) { return inlets_[link].get(); }

void RtlRouter::clock_to(Cycle now) {
  if (registers_at_ == now) return;
  // A router sleeps because no register can change before an input comes, and an input wakes it in
  // the next cycle. So one edge is enough after any sleep, and an observer needs none.
  Inputs& inputs = inputs_of(now - 1);
  const bool arrived = std::exchange(inputs.any, false);
  registers_at_ = now;
  if (!arrived && now > awake_until_) return;
  for (Port link = 0; link < config().links(); ++link) {
    if (inputs.flits[link]) {
      rtl_->set_flit(link, *std::exchange(inputs.flits[link], std::nullopt));
    }
    if (inputs.credits[link]) {
      rtl_->set_credit(link, *std::exchange(inputs.credits[link], std::nullopt));
    }
  }
  rtl_->clock();
  note_used();
}

/// Internal inputs get their flits inside the RTL, so the FIFOs are asked after each edge.
void RtlRouter::note_used() {
  for (Port in = 0; in < config().ports(); ++in) {
    for (Vc v = 0; v < config().input_vcs(in); ++v) {
      if ((used_[in] >> v & 1) == 0 && rtl_->flits_in(in, v) > 0) used_[in] |= 1u << v;
    }
  }
}

void RtlRouter::drive_outputs() {
  for (Port link = 0; link < config().links(); ++link) {
    Flit flit;
    Vc vc = 0;
    if (rtl_->flit(link, flit)) {
      to_neighbour[link]->put_flit(flit);
      if (!config().is_external(link)) fabric().flit_left();
    }
    if (rtl_->credit(link, vc)) to_neighbour[link]->put_credit(vc);
  }
}

/// Tells the observer about a cycle in which FIFOs hold flits, and keeps what the switch allocation
/// grants: those flits the switch sends in this cycle (one stage) or the next. Link registers come
/// behind it, so the output pins do not show them.
void RtlRouter::look(Cycle now, FabricObserver& observer) {
  const RouterState registers = rtl_->observe();
  for (Port out = 0; out < config().ports(); ++out) {
    const Grant& grant = registers.grant[out];
    if (!grant.valid) continue;
    Flit flit = registers.input[grant.in_port][grant.in_vc].front;
    flit.vc = grant.out_vc;
    granted_.push_back({out, grant, flit});
  }
  report_grants(registers, site(), now, observer);
  report_blocked(registers, site(), now, observer);
}

void RtlRouter::report_sent(Cycle now, FabricObserver& observer) {
  for (const Sent& sent : granted_) {
    observer.moved(now, node(), sent.grant.in_port, sent.grant.in_vc, sent.out, sent.flit);
  }
  granted_.clear();
}

Cycle RtlRouter::step(Cycle now) {
  clock_to(now);
  drive_outputs();
  FabricObserver* const observer = fabric().observer();
  const bool pipelined = config().stages > 1;
  if (observer == nullptr) granted_.clear();
  if (observer != nullptr && pipelined) report_sent(now, *observer);  // granted a cycle ago
  if (!rtl_->fifos_empty()) {
    for (int grants = rtl_->grants(); grants > 0; --grants) fabric().flit_moved();
    if (observer != nullptr) {
      look(now, *observer);
      if (!pipelined) report_sent(now, *observer);
    }
    // The last flit and its credit still pass switch register and link registers.
    awake_until_ = now + 1 + (pipelined ? 1 : 0) + static_cast<Cycle>(config().link_registers);
  }
  return now + 1 <= awake_until_ ? now + 1 : kNever;
}

void RtlRouter::state(RouterState& state) {
  clock_to(fabric().now());
  ::new (&state) RouterState(rtl_->observe());  // in place: a copy of 3 KB takes time
}

unsigned RtlRouter::flits_in(Port port, Vc vc) {
  clock_to(fabric().now());
  return rtl_->flits_in(port, vc);
}

bool RtlRouter::was_used(Port port, Vc vc) {
  clock_to(fabric().now());
  return (used_[port] >> vc & 1) != 0;
}

RouterFactory make_rtl_routers(std::set<NodeId> rtl) {
  if (rtl.empty()) return {};
  return [nodes = std::move(rtl)](const char* name,
                                  const RouterSite& site) -> std::unique_ptr<NodeRouter> {
    if (nodes.contains(site.node)) return std::make_unique<RtlRouter>(name, site);
    return make_native_router(name, site);
  };
}

}  // namespace annelid::systemc
