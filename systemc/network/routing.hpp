// The routing functions (docs/internals/microarchitecture.md, section 5.1): a policy unit for each.
// The router kernel, planes, NICs, traffic sources, the ideal network, the deadlock check and
// observers ask the unit. None of them knows the order of dimensions. The checks of a run, the
// reference and the tests do not ask it. CONTRIBUTING.md says how to add a routing function.
//
// Every function is minimal. So the dimension of the next hop decides its direction, too: the
// shorter way (ring.hpp). Addresses are packed, a byte for each dimension.
#pragma once

#include <bit>
#include <cstdint>
#include <iterator>

#include "systemc/network/config.hpp"
#include "systemc/network/policy.hpp"

namespace annelid::systemc {

/// What follows for each function that looks at nothing but the dimensions in which the packet has
/// hops left, and makes all hops of one before the next. It defines
///
///     static constexpr unsigned next_dimension(std::uint32_t away);
///
/// the dimension of the next hop. `away` is not 0, and byte d of it is not 0 if there are hops left
/// in dimension d. A function of another kind defines everything below by itself.
template <class Function>
struct ByDimension {
  /// Planes can serve it: the path is known when a packet starts, and is a few straight legs.
  static constexpr bool kPlanes = true;

  /// Calls f(d, from's coordinate, to's coordinate) for each dimension in which `from` and `to`
  /// differ, in the order of the path.
  template <typename F>
  [[gnu::always_inline]] static constexpr void each_leg(std::uint32_t from, std::uint32_t to, F f) {
    for (std::uint32_t away = from ^ to; away != 0;) {
      const unsigned d = Function::next_dimension(away);
      away &= ~dimensions(1u << d);
      f(static_cast<int>(d), static_cast<int>(from >> 8 * d & 0xff),
        static_cast<int>(to >> 8 * d & 0xff));
    }
  }
  /// The dimension of the last hop.
  static constexpr unsigned last_dimension(std::uint32_t away) {
    unsigned d = 0;
    while (away != 0) {
      d = Function::next_dimension(away);
      away &= ~dimensions(1u << d);
    }
    return d;
  }
  /// Whether some packet turns from its last hop in dimension d to a hop in dimension e: the
  /// dependencies between channels of different dimensions.
  static constexpr bool may_turn(unsigned d, unsigned e) {
    for (unsigned set = 1; set < 1u << kMaxDims; ++set) {
      const std::uint32_t away = dimensions(set), later = away & ~dimensions(1u << d);
      if (Function::next_dimension(away) == d && later != 0 &&
          Function::next_dimension(later) == e) {
        return true;
      }
    }
    return false;
  }
  /// Whether one-port routers can have it: their internal channels lead from x to y to z.
  static constexpr bool serves_one_port() {
    for (unsigned d = 0; d < kMaxDims; ++d) {
      for (unsigned e = 0; e < d; ++e) {
        if (may_turn(d, e)) return false;
      }
    }
    return true;
  }

 private:
  /// All bits of the dimensions in a set.
  static constexpr std::uint32_t dimensions(unsigned set) {
    std::uint32_t bits = 0;
    for (unsigned d = 0; d < kMaxDims; ++d) bits |= (set >> d & 1) != 0 ? 0xffu << 8 * d : 0u;
    return bits;
  }
};

/// Dimension order: x before y before z.
struct XyRouting : ByDimension<XyRouting> {
  static constexpr RoutingKind kKind = RoutingKind::kXy;
  static constexpr unsigned next_dimension(std::uint32_t away) {
    return static_cast<unsigned>(std::countr_zero(away)) / 8;
  }
  /// As in ByDimension, with fewer instructions.
  template <typename F>
  [[gnu::always_inline]] static constexpr void each_leg(std::uint32_t from, std::uint32_t to, F f) {
    for (int d = 0; from != to; ++d, from >>= 8, to >>= 8) {
      const int here = static_cast<int>(from & 0xff), there = static_cast<int>(to & 0xff);
      if (here != there) f(d, here, there);
    }
  }
};

/// The opposite order: z before y before x.
struct YxRouting : ByDimension<YxRouting> {
  static constexpr RoutingKind kKind = RoutingKind::kYx;
  static constexpr unsigned next_dimension(std::uint32_t away) {
    return static_cast<unsigned>(std::bit_width(away) - 1) / 8;
  }
};

/// All routing functions, in the order of RoutingKind.
using RoutingFunctions = PolicyList<XyRouting, YxRouting>;
static_assert(RoutingFunctions::kCount == std::ssize(parameters::kRoutingValues),
              "a unit for each name");

/// Throws ConfigError if the routers cannot have their routing function.
void check_routing(const RouterConfig& router);

}  // namespace annelid::systemc
