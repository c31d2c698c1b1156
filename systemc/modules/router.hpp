// The native router: a SystemC module without a process, which the fabric steps in a RouterArray.
#pragma once

#include <memory>

#include "systemc/kernel/router_assembly.hpp"
#include "systemc/modules/node_router.hpp"

namespace annelid::systemc {

/// At end_of_elaboration it reads its own bindings. A native neighbour in the same fabric becomes
/// an entry in the kernel's table; anything else costs one virtual call. So only the netlist
/// decides.
class Router final : public NodeRouter {
 public:
  Router(const sc_core::sc_module_name& name, const RouterSite& site)
      : Router(name, site, site.fabric.assembly(site.network)) {}

  void state(RouterState& state) override;
  void registers(unsigned ports, RouterState& state) override;
  unsigned flits_in(Port port, Vc vc) override;
  bool was_used(Port port, Vc vc) override;

 private:
  Router(const sc_core::sc_module_name& name, const RouterSite& site, RouterAssembly& assembly);
  void end_of_elaboration() override;
  void start_of_simulation() override;
  void join(RouterAssembly& assembly, int link);

  const RouterView& view_;
  std::uint32_t index_;  ///< index in the array
};

/// The RouterFactory for a network of native routers.
[[nodiscard]] std::unique_ptr<NodeRouter> make_native_router(const char* name,
                                                             const RouterSite& site);

}  // namespace annelid::systemc
