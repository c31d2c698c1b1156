#include "systemc/modules/network.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "systemc/modules/hierarchy_scope.hpp"
#include "systemc/network/channel_dependencies.hpp"
#include "systemc/network/node_text.hpp"
#include "systemc/network/route.hpp"

namespace annelid::systemc {
namespace {

/// Whether an output of a node leads to another process.
bool crosses(const Cut& cut, NodeId node, Port port) {
  for (const Cut::Side side : Cut::kSides) {
    if (cut.has(side) && port == cut.port(side) && node >= cut.border(side) &&
        node < cut.border(side) + cut.slab().plane) {
      return true;
    }
  }
  return false;
}

}  // namespace

Network::Network(const sc_core::sc_module_name& name, Fabric& fabric, const NetworkConfig& config,
                 RouterFactory make_router)
    : sc_module(name), fabric_(fabric), config_(config), make_router_(std::move(make_router)) {
  validate(config);
  if (config.ideal) {
    crossbar_ = std::make_unique<Crossbar>(fabric, config);
    return;
  }
  check_deadlock_freedom(config);
  if (make_router_) make_routers();
}

void Network::before_end_of_elaboration() {
  if (!crossbar_ && routers_.empty() && terminals_ == nullptr) make_routers();
}

void Network::make_routers() {
  if (sc_core::sc_get_status() > sc_core::SC_BEFORE_END_OF_ELABORATION) {
    throw std::logic_error(std::string(name()) + " runs in planes, without routers");
  }
  const HierarchyScope inside(*this);
  Cut* const cut = fabric_.cut();
  const Slab own = slab();
  routers_.resize(config_.nodes());
  for (NodeId node = own.first; node < own.end; ++node) {
    const Address at = config_.address(node);
    const std::string router_name = "router_" + node_text(at, std::max(config_.dims(), 2), '_');
    const RouterSite site{fabric_, config_, at, node};
    routers_[node] = make_router_ ? make_router_(router_name.c_str(), site)
                                  : make_native_router(router_name.c_str(), site);
  }
  if (cut != nullptr) join_cut(*cut);
  for (NodeId node = own.first; node < own.end; ++node) {
    for (Port p = 0; p < config_.router.external_ports(); ++p) {
      const Neighbour next = neighbour(config_, config_.address(node), p);
      if (!next.exists || (cut != nullptr && crosses(*cut, node, p))) continue;
      routers_[node]->to_neighbour[p].bind(
          static_cast<LinkIf&>(routers_[config_.id(next.address)]->from_neighbour[opposite(p)]));
    }
  }
  if (terminals_ != nullptr) std::exchange(terminals_, nullptr)->attach_links();
}

void Network::join_cut(Cut& cut) {
  for (const Cut::Side side : Cut::kSides) {
    if (!cut.has(side)) continue;
    for (NodeId place = 0; place < cut.slab().plane; ++place) {
      cut_links_.push_back(std::make_unique<CutLink>(cut, side, place, fabric_));
      NodeRouter& router = *routers_[cut.border(side) + place];
      router.to_neighbour[cut.port(side)].bind(*cut_links_.back());
      if (CutEnd* const end = router.cut_end(cut.port(side))) cut.set_end(side, place, *end);
    }
  }
}

bool Network::attach(PlaneTerminals& terminals) {
  if (crossbar_ || make_router_ || !routers_.empty() || terminals_ != nullptr) return false;
  if (!fabric_.has_planes_for(config_)) return false;
  terminals_ = &terminals;
  return true;
}

// Nobody can ask for a router any more.
void Network::end_of_elaboration() {
  if (terminals_ != nullptr) planes_ = &fabric_.run_in_planes(config_, *terminals_);
}

RouterArray* Network::array() const {
  return planes_ != nullptr ? planes_ : fabric_.array(config_);
}

void Network::attach(NodeId node, int local, sc_core::sc_port_b<LinkIf>& to_router,
                     sc_core::sc_export<LinkIf>& from_router) {
  if (crossbar_) {
    to_router.bind(crossbar_->end(node, local));
    crossbar_->to_nic(node, local).bind(from_router);
    return;
  }
  const auto port = static_cast<std::size_t>(config_.router.first_local() + local);
  to_router.bind(static_cast<LinkIf&>(router(node).from_neighbour[port]));
  router(node).to_neighbour[port].bind(from_router);
}

void Network::state(NodeId node, RouterState& state) {
  if (crossbar_) {
    crossbar_->state(node, state);
  } else if (planes_ != nullptr) {
    planes_->state(node, fabric_.now(), state);
  } else {
    router(node).state(state);
  }
}

void Network::registers(NodeId node, unsigned ports, RouterState& state) {
  if (crossbar_) {
    crossbar_->state(node, state);
  } else if (planes_ != nullptr) {
    planes_->registers(node, fabric_.now(), ports, state);
  } else {
    router(node).registers(ports, state);
  }
}

unsigned Network::flits_in(NodeId node, Port port, Vc vc) {
  if (planes_ != nullptr) return planes_->flits_in(node, fabric_.now(), port, vc);
  if (!crossbar_) return router(node).flits_in(port, vc);
  RouterState state;
  crossbar_->state(node, state);
  return state.input[port][vc].count;
}

bool Network::was_used(NodeId node, Port port, Vc vc) {
  if (planes_ != nullptr) return planes_->was_used(node, fabric_.now(), port, vc);
  return crossbar_ ? crossbar_->was_used(node, port, vc) : router(node).was_used(port, vc);
}

std::optional<RouterView::Fill> Network::fill(Port port, Vc vc) const {
  const RouterArray* const routers = array();
  if (crossbar_ || routers == nullptr || routers->planes().empty()) return std::nullopt;
  return routers->fill(port, vc);
}

// An array in planes has all routers of its network, by node.
std::string Network::planes() const {
  const RouterArray* const routers = array();
  return routers != nullptr ? routers->planes() : "";
}

bool Network::count_flits() {
  RouterArray* const routers = array();
  return routers != nullptr && routers->count_flits();
}

std::uint64_t Network::flits_by(NodeId node, Port out) const {
  return array()->flits_by(node, out);
}

std::vector<RouterState> Network::states() {
  std::vector<RouterState> states(config_.nodes());
  const Slab own = slab();
  for (NodeId node = own.first; node < own.end; ++node) state(node, states[node]);
  return states;
}

Slab Network::slab() const {
  const Cut* const cut = fabric_.cut();
  return cut == nullptr ? Slab(config_, 0, 1) : cut->slab();
}

std::vector<RouterState> Network::all_states() {
  Cut* const cut = fabric_.cut();
  if (cut == nullptr) return states();
  const std::vector<RouterState> own = states();
  const Slab& slab = cut->slab();
  std::vector<RouterState> all;
  for (const std::vector<RouterState>& part : gathered<RouterState>(
           cut->exchange(), std::span(own).subspan(slab.first, slab.end - slab.first))) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace annelid::systemc
