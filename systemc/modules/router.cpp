#include "systemc/modules/router.hpp"

namespace annelid::systemc {

Router::Router(const sc_core::sc_module_name& name, const RouterSite& site,
               RouterAssembly& assembly)
    : NodeRouter(name, site),
      view_(assembly.view()),
      index_(assembly.add(site.address, site.node)) {
  for (int l = 0; l < config().links(); ++l) {
    from_neighbour[static_cast<std::size_t>(l)].bind(assembly.end(index_, l));
  }
}

void Router::state(RouterState& state) { view_.state(index_, fabric().now(), state); }

void Router::registers(unsigned ports, RouterState& state) {
  view_.registers(index_, fabric().now(), ports, state);
}

unsigned Router::flits_in(Port port, Vc vc) {
  return view_.flits_in(index_, fabric().now(), port, vc);
}

bool Router::was_used(Port port, Vc vc) { return view_.was_used(index_, fabric().now(), port, vc); }

void Router::end_of_elaboration() {
  RouterAssembly& assembly = fabric().assembly(site().network);
  for (int l = 0; l < config().links(); ++l) join(assembly, l);
}

void Router::start_of_simulation() {
  for (int l = 0; l < config().links(); ++l) {
    if (!view_.joined_both_ways(index_, l)) {
      SC_REPORT_ERROR(name(), "a link must be bound in both directions");
    }
  }
}

void Router::join(RouterAssembly& assembly, int link) {
  LinkIf* const to = to_neighbour[static_cast<std::size_t>(link)].get();
  if (to == nullptr) return;
  const auto* end = dynamic_cast<const RouterEnd*>(to);
  if (end == nullptr) return assembly.join(index_, link, *to);
  const RouterConfig& other = end->routers().network().router;
  if (other.depth != config().depth || other.link_vcs(end->link()) != config().link_vcs(link)) {
    SC_REPORT_ERROR(name(), "neighbours must have equal buffers");
  }
  // Planes have routers of an array in them: the ends say which routers belong together. Within an
  // array kernels trust each other: credits alone keep a sender out of full buffers.
  if (&end->routers() == &assembly.end(index_, link).routers()) {
    assembly.join(index_, link, end->router(), end->link());
  } else {
    assembly.join(index_, link, *to);
  }
}

std::unique_ptr<NodeRouter> make_native_router(const char* name, const RouterSite& site) {
  return std::make_unique<Router>(name, site);
}

}  // namespace annelid::systemc
