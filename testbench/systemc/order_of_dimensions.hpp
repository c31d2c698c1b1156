// The order in which packets take the dimensions: the tests' own reading of
// docs/internals/microarchitecture.md, section 5.1. Shares no code with the units of routing.hpp.
// The turn models, which have no order, are in turn_rules.hpp.
#pragma once

#include <array>
#include <stdexcept>

#include "systemc/network/config.hpp"
#include "systemc/network/flit.hpp"

namespace annelid::systemc {

/// Whether a packet of o1turn goes like one of yx: if its head has an odd number of ones.
inline bool goes_by_y_first(const HeadFields& head) {
  int ones = 0;
  const auto count = [&](unsigned bits) {
    for (; bits != 0; bits /= 2) ones += static_cast<int>(bits % 2);
  };
  for (const Address& a : {head.destination, head.source}) {
    for (int d = 0; d < kMaxDims; ++d) count(a[d]);
  }
  count(head.tag);
  return ones % 2 == 1;
}

/// Dimensions that the network does not have are among them.
inline std::array<int, kMaxDims> order_of_dimensions(const RouterConfig& router,
                                                     const HeadFields& head) {
  constexpr std::array<int, kMaxDims> kUp{0, 1, 2}, kDown{2, 1, 0};
  switch (router.routing) {
    case RoutingKind::kXy:
      return kUp;
    case RoutingKind::kYx:
      return kDown;
    case RoutingKind::kO1turn:
      return goes_by_y_first(head) ? kDown : kUp;
    default:
      throw std::logic_error("a routing function without an order that the tests know");
  }
}

}  // namespace annelid::systemc
