#include "systemc/planes/plane_array.hpp"

#include "systemc/kernel/kernel_shape.hpp"

namespace annelid::systemc {

PlaneArray::PlaneArray(const NetworkConfig& network, RouterArrayHost& host, PlaneBackend backend,
                       PlaneTerminals& terminals, Cut* cut)
    : network_(network), host_(host), flight_cycles_(KernelShape(network, 0).max_delay + 1) {
  use_planes(backend, terminals, cut);
}

PlaneArray::PlaneArray(const RouterView& kernels, RouterArrayHost& host)
    : network_(kernels.network()),
      host_(host),
      kernels_(&kernels),
      flight_cycles_(KernelShape(network_, 0).max_delay + 1) {}

void PlaneArray::use_planes(PlaneBackend backend, PlaneTerminals& terminals, Cut* cut) {
  planes_ = std::make_unique<PlaneNetwork>(network_, backend, terminals, cut);
  terminals.use_planes(*planes_);
}

// ---- A cycle ------------------------------------------------------------------------------------

void PlaneArray::report_sent(Cycle now, FabricObserver& observer) {
  planes_ ? planes_->report_sent(now, observer) : running_->report_sent(now, observer);
}

RouterArray::Happened PlaneArray::step(Cycle now, FabricObserver* observer, bool reversed) {
  return planes_ ? step_planes(now, observer) : running_->step(now, observer, reversed);
}

RouterArray::Happened PlaneArray::step_planes(Cycle now, FabricObserver* observer) {
  Happened sum;
  for (;; ++now) {
    const PlaneNetwork::Happened happened = planes_->step(now, observer);
    sum.moved += happened.moved;
    sum.ejected += happened.ejected;
    host_.entered(happened.entered);
    if (happened.moved > 0) host_.moved();
    // The sink's credit takes another cycle.
    if (happened.ejected > 0) host_.stay_awake(now + 2);
    const bool busy = happened.entered + happened.moved > 0 || planes_->flits_inside() > 0;
    if (busy) sum.busy_until = now + flight_cycles_;
    if (!busy || !host_.go_on()) return sum;
  }
}

void PlaneArray::come(Cycle now) {
  if (!planes_) return running_->come(now);
  if (const Cycle last = planes_->come(now); last != kNever) host_.stay_awake(last + 1);
}

void PlaneArray::wake_all(Cycle at) {
  if (!planes_) running_->wake_all(at);
}

std::uint64_t PlaneArray::flits_moved() const {
  return planes_ ? planes_->flits_moved() : running_->flits_moved();
}

bool PlaneArray::count_flits() {
  if (planes_) planes_->count_flits();
  return planes_ != nullptr;
}

// ---- Views --------------------------------------------------------------------------------------

void PlaneArray::state(std::uint32_t router, Cycle now, RouterState& state) const {
  return planes_ ? planes_->state(router, state) : kernels_->state(router, now, state);
}
void PlaneArray::registers(std::uint32_t router, Cycle now, unsigned ports,
                           RouterState& state) const {
  return planes_ ? planes_->registers(router, ports, state)
                 : kernels_->registers(router, now, ports, state);
}
unsigned PlaneArray::flits_in(std::uint32_t router, Cycle now, Port port, Vc vc) const {
  return planes_ ? planes_->flits_in(router, port, vc) : kernels_->flits_in(router, now, port, vc);
}
bool PlaneArray::was_used(std::uint32_t router, Cycle now, Port port, Vc vc) const {
  return planes_ ? planes_->was_used(router, port, vc) : kernels_->was_used(router, now, port, vc);
}
std::optional<RouterView::Fill> PlaneArray::fill(Port port, Vc vc) const {
  if (!planes_) return std::nullopt;
  return planes_->fill(port, vc);
}
std::uint64_t PlaneArray::flits_by(std::uint32_t router, Port out) const {
  return planes_ ? planes_->flits_by(router, out) : 0;
}
std::size_t PlaneArray::hot_bytes() const {
  return planes_ ? planes_->hot_bytes() : kernels_->hot_bytes();
}

}  // namespace annelid::systemc
