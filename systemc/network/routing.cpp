#include "systemc/network/routing.hpp"

#include <string>

namespace annelid::systemc {

void check_routing(const RouterConfig& router) {
  RoutingFunctions::with(router.routing, [&]<class Function>(Function) {
    if (!router.one_port() || Function::serves_one_port()) return;
    throw ConfigError("router.routing", std::string(Function::kName),
                      "xy for one-port routers: their internal channels lead from x to y to z");
  });
}

}  // namespace annelid::systemc
