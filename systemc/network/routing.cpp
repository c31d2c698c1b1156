#include "systemc/network/routing.hpp"

namespace annelid::systemc {

void check_routing(const RouterConfig& router) {
  const auto refuse = [&](const char* expected) {
    throw ConfigError(parameters::kRouting.key, name_of(router.routing), expected);
  };
  const bool one_port = RoutingFunctions::with(
      router.routing, []<class Function>(Function) { return Function::serves_one_port(); });
  if (router.one_port() && !one_port) {
    refuse("xy, as one-port routers go from x to y to z, or router.kind = all-port");
  }
  if (!has_fixed_paths(router.routing) && (router.dims != 2 || router.has_rings())) {
    refuse("xy, yx or o1turn, as turn models serve meshes of two dimensions");
  }
}

}  // namespace annelid::systemc
