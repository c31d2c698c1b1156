#include "systemc/router/router.hpp"

namespace annelid::systemc {

Router::Router(const sc_core::sc_module_name& name, const RouterSite& site)
    : NodeRouter(name, site),
      array_(site.fabric.router_array(site.network)),
      index_(array_.add(site.address, site.node)) {
  for (int l = 0; l < config().links(); ++l) {
    from_neighbour[static_cast<std::size_t>(l)].bind(array_.end(index_, l));
  }
}

void Router::state(RouterState& state) { array_.state(index_, fabric().now(), state); }

void Router::registers(unsigned ports, RouterState& state) {
  array_.registers(index_, fabric().now(), ports, state);
}

unsigned Router::flits_in(Port port, Vc vc) {
  return array_.flits_in(index_, fabric().now(), port, vc);
}

bool Router::was_used(Port port, Vc vc) {
  return array_.was_used(index_, fabric().now(), port, vc);
}

void Router::end_of_elaboration() {
  for (int l = 0; l < config().links(); ++l) join(l);
}

void Router::start_of_simulation() {
  for (int l = 0; l < config().links(); ++l) {
    if (!array_.joined_both_ways(index_, l)) {
      SC_REPORT_ERROR(name(), "a link must be bound in both directions");
    }
  }
}

void Router::join(int link) {
  LinkIf* const to = to_neighbour[static_cast<std::size_t>(link)].get();
  if (to == nullptr) return;
  const auto* end = dynamic_cast<const RouterEnd*>(to);
  if (end == nullptr) return array_.join(index_, link, *to);
  const RouterConfig& other = end->array().network().router;
  if (other.depth != config().depth || other.link_vcs(end->link()) != config().link_vcs(link)) {
    SC_REPORT_ERROR(name(), "neighbours must have equal buffers");
  }
  // An array may be made of others: their ends say whether they belong together. Within one kernels
  // trust each other: credits alone keep a sender out of full buffers.
  if (&end->array() == &array_.end(index_, link).array()) {
    array_.join(index_, link, end->router(), end->link());
  } else {
    array_.join(index_, link, *to);
  }
}

std::unique_ptr<NodeRouter> make_native_router(const char* name, const RouterSite& site) {
  return std::make_unique<Router>(name, site);
}

}  // namespace annelid::systemc
