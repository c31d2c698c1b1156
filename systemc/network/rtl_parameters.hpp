// A router's parameters as the RTL names and codes them.
#pragma once

#include <string>
#include <vector>

#include "systemc/network/config.hpp"

namespace annelid::systemc {

struct RtlParameter {
  const Parameter& parameter;
  int code = 0;

  /// Whether the RTL has this value if nobody sets the parameter, whatever the others are. So it is
  /// false where the default of the RTL follows from other parameters.
  [[nodiscard]] bool is_default() const {
    return !parameter.rtl_default_follows && code == parameter.otherwise;
  }
};

/// All parameters, in the order of the specification. The kind of router is "OnePort".
std::vector<RtlParameter> rtl_parameters(const RouterConfig& config);

/// The router of such a text: "OnePort=0 Dims=2 LocalPorts=4". Parameters that it does not name
/// keep the values of RouterConfig. Throws std::invalid_argument for another name and for a code
/// that the parameter does not have.
RouterConfig router_of_rtl(const std::string& text);

}  // namespace annelid::systemc
