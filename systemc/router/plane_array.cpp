#include "systemc/router/plane_array.hpp"

#include <stdexcept>

#include "systemc/network/route.hpp"

namespace annelid::systemc {

PlaneArray::PlaneArray(const NetworkConfig& network, RouterArrayHost& host, PlaneBackend backend)
    : host_(host), backend_(backend), kernels_(RouterArray::make(network, host)) {}

std::uint32_t PlaneArray::add(Address address, NodeId node) {
  const std::uint32_t index = kernels_->add(address, node);
  in_order_ &= index == node && network().id(address) == node;
  return index;
}

void PlaneArray::join(std::uint32_t router, int link, std::uint32_t neighbour, int its_link) {
  kernels_->join(router, link, neighbour, its_link);
  const NetworkConfig& config = network();
  const auto port = static_cast<Port>(link);
  const Neighbour next = config.router.is_external(link)
                             ? systemc::neighbour(config, config.address(router), port)
                             : Neighbour{};
  in_order_ &= next.exists && config.id(next.address) == neighbour && its_link == opposite(port);
  ++joined_;
}

void PlaneArray::join(std::uint32_t router, int link, LinkIf& neighbour) {
  kernels_->join(router, link, neighbour);
  const RouterConfig& config = network().router;
  auto* const end = dynamic_cast<PlaneEnd*>(&neighbour);
  if (config.is_external(link) || end == nullptr) {
    in_order_ = false;
    return;
  }
  const auto ports = static_cast<std::size_t>(config.local_ports);
  const std::size_t lane = router * ports + static_cast<std::size_t>(link - config.first_local());
  terminals_.resize(std::max(terminals_.size(), lane + 1));
  terminals_[lane] = end;
  in_order_ &= end->lane() == lane;
}

bool PlaneArray::attach(PlaneTerminals& terminals) {
  if (planes_ != nullptr || size() > 0) return false;
  whole_ = &terminals;
  planes_ = std::make_unique<PlaneNetwork>(network(), backend_, terminals, cut_);
  return true;
}

void PlaneArray::detach() {
  whole_ = nullptr;
  planes_.reset();
}

void PlaneArray::start() {
  if (started_) return;
  started_ = true;
  PlaneTerminals* const terminals = whole_ != nullptr ? whole_ : common_terminals();
  if (terminals == nullptr) return;
  if (!planes_) planes_ = std::make_unique<PlaneNetwork>(network(), backend_, *terminals, cut_);
  terminals->use_planes(*planes_);
  flight_cycles_ = kernels_->flight_cycles();
}

/// Null unless the routers and their neighbours are what planes cover.
PlaneTerminals* PlaneArray::common_terminals() const {
  const NetworkConfig& config = network();
  const std::size_t lanes = config.nodes() * static_cast<std::size_t>(config.router.local_ports);
  if (!in_order_ || size() != config.nodes() || terminals_.size() != lanes) return nullptr;
  std::uint64_t links = 0;
  for (NodeId node = 0; node < config.nodes(); ++node) {
    for (Port port = 0; port < config.router.external_ports(); ++port) {
      links += neighbour(config, config.address(node), port).exists;
    }
  }
  if (links != joined_ || terminals_.front() == nullptr) return nullptr;
  PlaneTerminals* const common = &terminals_.front()->terminals();
  for (const PlaneEnd* end : terminals_) {
    if (end == nullptr || &end->terminals() != common) return nullptr;
  }
  return common;
}

// ---- A cycle ------------------------------------------------------------------------------------

void PlaneArray::report_sent(Cycle now, FabricObserver& observer) {
  planes_ ? planes_->report_sent(now, observer) : kernels_->report_sent(now, observer);
}

RouterArray::Happened PlaneArray::step(Cycle now, FabricObserver* observer, bool reversed) {
  return planes_ ? step_planes(now, observer) : kernels_->step(now, observer, reversed);
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

void PlaneArray::step_plainly(Cycle now) {
  if (planes_) throw std::logic_error("a network in planes has no plain loop");
  kernels_->step_plainly(now);
}

void PlaneArray::come(Cycle now) {
  if (!planes_) return kernels_->come(now);
  if (const Cycle last = planes_->come(now); last != kNever) host_.stay_awake(last + 1);
}

void PlaneArray::wake_all(Cycle at) {
  if (!planes_) kernels_->wake_all(at);
}

std::uint64_t PlaneArray::flits_moved() const {
  return planes_ ? planes_->flits_moved() : kernels_->flits_moved();
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
bool PlaneArray::count_flits() {
  if (planes_) planes_->count_flits();
  return planes_ != nullptr;
}
std::uint64_t PlaneArray::flits_by(std::uint32_t router, Port out) const {
  return planes_ ? planes_->flits_by(router, out) : 0;
}
std::optional<RouterArray::Fill> PlaneArray::fill(Port port, Vc vc) const {
  if (!planes_) return std::nullopt;
  return planes_->fill(port, vc);
}
std::size_t PlaneArray::hot_bytes() const {
  return planes_ ? planes_->hot_bytes() : kernels_->hot_bytes();
}

}  // namespace annelid::systemc
