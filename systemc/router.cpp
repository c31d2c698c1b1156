#include "systemc/router.hpp"

#include <stdexcept>
#include <string>

namespace annelid {

/// A port's own end of its link, for neighbours that are not kernels of the fabric. It checks them:
/// docs/microarchitecture.md, section 4, lists what is an error of the neighbour.
class Router::Inlet final : public LinkIf {
 public:
  Inlet(Router& router, Port port) : router_(router), port_(port) {}

  void put_flit(const Flit& flit) override {
    Fabric& fabric = router_.fabric();
    RouterKernel& kernel = fabric.kernel(router_.kernel_);
    if (!kernel.may_take_flit(port_, flit.vc, fabric.now()))
      fail("has no room for a flit", flit.vc);
    kernel.take_flit(port_, flit, fabric.now());
    fabric.wake_kernel(router_.kernel_);
    if (!router_.config().is_external(port_)) fabric.flit_entered();
  }

  void put_credit(Vc vc) override {
    Fabric& fabric = router_.fabric();
    RouterKernel& kernel = fabric.kernel(router_.kernel_);
    if (!kernel.may_take_credit(port_, vc, fabric.now())) fail("has no place for a credit", vc);
    kernel.take_credit(port_, vc, fabric.now());
    fabric.wake_kernel(router_.kernel_);
  }

  [[nodiscard]] Router& router() const { return router_; }
  [[nodiscard]] Port port() const { return port_; }

 private:
  [[noreturn]] void fail(const char* what, Vc vc) const {
    throw std::logic_error(std::string(router_.name()) + " " + what + " in cycle " +
                           std::to_string(router_.fabric().now()) + ": port " +
                           std::to_string(port_) + ", vc " + std::to_string(vc));
  }

  Router& router_;
  Port port_;
};

Router::Router(const sc_core::sc_module_name& name, const RouterSite& site)
    : NodeRouter(name, site),
      kernel_(site.fabric.add_kernel(site.network, site.address, site.node)) {
  for (Port p = 0; p < site.network.router.links(); ++p) {
    inlets_.push_back(std::make_unique<Inlet>(*this, p));
    from_neighbour[p].bind(*inlets_.back());
  }
}

Router::~Router() = default;

void Router::state(RouterState& state) { fabric().kernel(kernel_).state(fabric().now(), state); }

void Router::end_of_elaboration() {
  for (int p = 0; p < config().ports(); ++p) {
    fabric().kernel(kernel_).join(static_cast<Port>(p), link_of(p));
  }
}

KernelLink Router::link_of(int port) {
  auto& to = to_neighbour[static_cast<std::size_t>(port)];
  if (to.size() == 0) return {};
  const auto* inlet = dynamic_cast<Inlet*>(to[0]);
  if (inlet == nullptr || &inlet->router().fabric() != &fabric()) return {.other = to[0]};
  Router& other = inlet->router();
  const auto& back = other.to_neighbour[inlet->port()];
  if (back.size() != 1 || back[0] != inlets_[static_cast<std::size_t>(port)].get()) {
    SC_REPORT_ERROR(name(), "a link must be bound in both directions");
  }
  // Kernels trust each other: credits alone keep a sender out of full or missing buffers.
  if (other.config().depth != config().depth ||
      other.config().link_vcs(inlet->port()) != config().link_vcs(port)) {
    SC_REPORT_ERROR(name(), "neighbours must have equal buffers");
  }
  return {.kernel = &fabric().kernel(other.kernel_), .index = other.kernel_, .port = inlet->port()};
}

std::unique_ptr<NodeRouter> make_native_router(const char* name, const RouterSite& site) {
  return std::make_unique<Router>(name, site);
}

}  // namespace annelid
