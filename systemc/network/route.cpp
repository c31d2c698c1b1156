#include "systemc/network/route.hpp"

#include <algorithm>

#include "systemc/network/node_text.hpp"

namespace annelid::systemc {

std::string output_channel_name(const RouterConfig& router, Port output) {
  static constexpr const char* kExternal[] = {"+x", "-x", "+y", "-y", "+z", "-z"};
  static constexpr const char* kInternal[] = {"x>y", "y>z"};
  if (router.is_external(output)) return kExternal[output];
  if (router.is_ejection(output)) {
    return "ej" + std::to_string(output - router.ejection_output(0));
  }
  return kInternal[output - router.external_ports()];
}

std::string node_name(const RouterConfig& router, Address address) {
  return node_text(address, std::max(router.dims, 2));
}

}  // namespace annelid::systemc
