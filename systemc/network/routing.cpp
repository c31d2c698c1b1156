#include "systemc/network/routing.hpp"

namespace annelid::systemc {

void check_routing(const RouterConfig& router) {
  RoutingFunctions::with(router.routing, [&]<class Function>(Function) {
    if (!router.one_port() || Function::serves_one_port()) return;
    throw ConfigError(parameters::kRouting.key, name_of(router.routing),
                      "xy, as one-port routers go from x to y to z, or router.kind = all-port");
  });
}

}  // namespace annelid::systemc
