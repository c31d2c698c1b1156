// The order in which packets take the dimensions: the tests' own reading of
// docs/internals/microarchitecture.md, section 5.1. Shares no code with the units of routing.hpp.
#pragma once

#include <array>
#include <stdexcept>

#include "systemc/network/config.hpp"

namespace annelid::systemc {

/// Dimensions that the network does not have are among them.
inline std::array<int, kMaxDims> order_of_dimensions(const RouterConfig& router) {
  switch (router.routing) {
    case RoutingKind::kXy:
      return {0, 1, 2};
    case RoutingKind::kYx:
      return {2, 1, 0};
  }
  throw std::logic_error("a routing function that the tests do not know");
}

}  // namespace annelid::systemc
