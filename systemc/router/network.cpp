#include "systemc/router/network.hpp"

#include <algorithm>
#include <string>

#include "systemc/network/channel_dependencies.hpp"
#include "systemc/network/node_text.hpp"
#include "systemc/network/route.hpp"

namespace annelid::systemc {

Network::Network(const sc_core::sc_module_name& name, Fabric& fabric, const NetworkConfig& config,
                 const RouterFactory& make_router)
    : sc_module(name), fabric_(fabric), config_(config) {
  validate(config);
  if (config.ideal) {
    crossbar_ = std::make_unique<Crossbar>(fabric, config);
    return;
  }
  check_deadlock_freedom(config);
  routers_.reserve(config.nodes());
  for (NodeId node = 0; node < config.nodes(); ++node) {
    const Address at = config.address(node);
    const std::string router_name = "router_" + node_text(at, std::max(config.dims(), 2), '_');
    routers_.push_back(make_router(router_name.c_str(), RouterSite{fabric, config, at, node}));
  }
  for (NodeId node = 0; node < config.nodes(); ++node) {
    for (Port p = 0; p < config.router.external_ports(); ++p) {
      const Neighbour next = neighbour(config, config.address(node), p);
      if (!next.exists) continue;
      routers_[node]->to_neighbour[p].bind(
          static_cast<LinkIf&>(routers_[config.id(next.address)]->from_neighbour[opposite(p)]));
    }
  }
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
  } else {
    routers_[node]->state(state);
  }
}

void Network::registers(NodeId node, unsigned ports, RouterState& state) {
  if (crossbar_) {
    crossbar_->state(node, state);
  } else {
    routers_[node]->registers(ports, state);
  }
}

unsigned Network::flits_in(NodeId node, Port port, Vc vc) {
  if (!crossbar_) return routers_[node]->flits_in(port, vc);
  RouterState state;
  crossbar_->state(node, state);
  return state.input[port][vc].count;
}

// An array in planes has all routers of its network, by node.
std::string Network::planes() const {
  const RouterArray* const array = fabric_.find_array(config_);
  return array != nullptr ? array->planes() : "";
}

bool Network::count_flits() {
  RouterArray* const array = fabric_.find_array(config_);
  return array != nullptr && array->count_flits();
}

std::uint64_t Network::flits_by(NodeId node, Port out) const {
  return fabric_.find_array(config_)->flits_by(node, out);
}

std::vector<RouterState> Network::states() {
  std::vector<RouterState> states(config_.nodes());
  for (NodeId node = 0; node < states.size(); ++node) state(node, states[node]);
  return states;
}

}  // namespace annelid::systemc
