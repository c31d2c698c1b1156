// The routing functions (docs/internals/microarchitecture.md, section 5.1): a policy unit for each.
// The router kernel, planes, NICs, traffic sources, the ideal network, the deadlock check and
// observers ask the unit. None of them knows the order of dimensions. The checks of a run, the
// reference and the tests do not ask it. CONTRIBUTING.md says how to add a routing function.
//
// Every function is minimal. So the dimension of the next hop decides its direction, too: the
// shorter way (ring.hpp). Addresses are packed, a byte for each dimension.
//
// A unit says `kOutputs`, the most outputs that it permits a head. With 1, the path of a packet is
// known when it starts: the functions by dimension, and those that choose among their orders. With
// 2 it is a turn model, and the routers' registers decide (room.hpp).
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
  static constexpr int kOutputs = 1;
  static constexpr int kOrders = 1;

  /// The order of a packet whose head has this data, and f(unit) with the unit of that order.
  static constexpr unsigned order_of(std::uint64_t /*head*/) { return 0; }
  template <typename F>
  [[gnu::always_inline]] static constexpr decltype(auto) with_order(unsigned /*order*/, F f) {
    return f(Function{});
  }

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

/// The order of XY or that of YX, by the parity of the head's data. Each order has classes of VCs
/// of its own (RouterConfig::orders).
struct O1TurnRouting {
  static constexpr RoutingKind kKind = RoutingKind::kO1turn;
  static constexpr bool kPlanes = true;
  static constexpr int kOutputs = 1;
  static constexpr int kOrders = 2;

  static constexpr unsigned order_of(std::uint64_t head) {
    return static_cast<unsigned>(__builtin_parityll(head));
  }
  template <typename F>
  [[gnu::always_inline]] static constexpr decltype(auto) with_order(unsigned order, F f) {
    if (order == 0) return f(XyRouting{});
    return f(YxRouting{});
  }
  static constexpr bool serves_one_port() { return false; }
};

// ---- Turn models --------------------------------------------------------------------------------

/// What follows for each function that permits, of the outputs that lead nearer to the destination,
/// all but those that a rule forbids. It defines
///
///     static constexpr unsigned permitted(unsigned nearer, int x, int source, int to);
///
/// the permitted ones of the outputs in `nearer`, of which there are one or two: bit o for output
/// o. `x`, `source` and `to` are the columns of the router, of the packet's source and of its
/// destination. What is permitted to a packet from elsewhere must also be permitted to one that
/// starts here, and `to` may only be compared with columns up to two steps away:
/// ChannelDependencies relies on both.
template <class Model>
struct TurnModel {
  static constexpr bool kPlanes = false;
  static constexpr int kOutputs = 2;
  static constexpr int kOrders = 1;

  /// At a router `here`, which is not the destination.
  static constexpr unsigned outputs(std::uint32_t here, std::uint32_t source, std::uint32_t to) {
    const int x = coordinate(here), to_x = coordinate(to);
    const int y = coordinate(here >> 8), to_y = coordinate(to >> 8);
    const unsigned nearer = (to_x > x ? kEast : 0u) | (to_x < x ? kWest : 0u) |
                            (to_y > y ? kNorth : 0u) | (to_y < y ? kSouth : 0u);
    return Model::permitted(nearer, x, coordinate(source), to_x);
  }
  static constexpr bool serves_one_port() { return false; }

 protected:
  static constexpr unsigned kEast = 1, kWest = 2, kNorth = 4, kSouth = 8;

 private:
  static constexpr int coordinate(std::uint32_t address) {
    return static_cast<int>(address & 0xff);
  }
};

/// West before all else.
struct WestFirstRouting : TurnModel<WestFirstRouting> {
  static constexpr RoutingKind kKind = RoutingKind::kWestFirst;
  static constexpr unsigned permitted(unsigned nearer, int /*x*/, int /*source*/, int /*to*/) {
    return (nearer & kWest) != 0 ? kWest : nearer;
  }
};

/// North after all else.
struct NorthLastRouting : TurnModel<NorthLastRouting> {
  static constexpr RoutingKind kKind = RoutingKind::kNorthLast;
  static constexpr unsigned permitted(unsigned nearer, int /*x*/, int /*source*/, int /*to*/) {
    const unsigned others = nearer & ~kNorth;
    return others != 0 ? others : nearer;
  }
};

/// West and south before east and north.
struct NegativeFirstRouting : TurnModel<NegativeFirstRouting> {
  static constexpr RoutingKind kKind = RoutingKind::kNegativeFirst;
  static constexpr unsigned permitted(unsigned nearer, int /*x*/, int /*source*/, int /*to*/) {
    const unsigned negative = nearer & (kWest | kSouth);
    return negative != 0 ? negative : nearer;
  }
};

/// From east to north or south in odd columns alone, from north or south to west in even ones.
struct OddEvenRouting : TurnModel<OddEvenRouting> {
  static constexpr RoutingKind kKind = RoutingKind::kOddEven;
  static constexpr unsigned permitted(unsigned nearer, int x, int source, int to) {
    const bool odd = x % 2 != 0;
    if ((nearer & (nearer - 1)) == 0) return nearer;
    if ((nearer & kWest) != 0) return odd ? kWest : nearer;
    const bool may_turn = odd || x == source, may_go_on = to % 2 != 0 || to != x + 1;
    return nearer & ((may_turn ? kNorth | kSouth : 0u) | (may_go_on ? kEast : 0u));
  }
};

/// All routing functions, in the order of RoutingKind.
using RoutingFunctions = PolicyList<XyRouting, YxRouting, O1TurnRouting, WestFirstRouting,
                                    NorthLastRouting, NegativeFirstRouting, OddEvenRouting>;
static_assert(RoutingFunctions::kCount == std::ssize(parameters::kRoutingValues),
              "a unit for each name");

/// Whether the path of a packet is known when it starts.
constexpr bool has_fixed_paths(RoutingKind routing) {
  return RoutingFunctions::with(routing,
                                []<class Function>(Function) { return Function::kOutputs == 1; });
}
/// Whether the path follows from source and destination alone.
constexpr bool has_one_path(RoutingKind routing) {
  return has_fixed_paths(routing) && orders_of(routing) == 1;
}

/// The order of a packet whose head has this data; 0 with a function that has one order.
constexpr unsigned order_of_packet(RoutingKind routing, std::uint64_t head) {
  return RoutingFunctions::with(routing, [&]<class Function>(Function) {
    if constexpr (Function::kOrders > 1) return Function::order_of(head);
    return 0u;
  });
}

/// f(unit) with the unit of an order of a function that has fixed paths. Of a turn model, which has
/// none, the value of a default constructor.
template <typename F>
[[gnu::always_inline]] constexpr auto with_path(RoutingKind routing, unsigned order, F f) {
  return RoutingFunctions::with(routing, [&]<class Function>(Function) {
    if constexpr (Function::kOutputs == 1) {
      return Function::with_order(order, f);
    } else {
      return decltype(f(XyRouting{}))();
    }
  });
}

/// f(unit) with the unit of the packets' only path, or of order xy where source and destination
/// leave the path open.
template <typename F>
[[gnu::always_inline]] constexpr auto with_first_path(RoutingKind routing, F f) {
  return RoutingFunctions::with(routing, [&]<class Function>(Function) {
    if constexpr (Function::kOutputs == 1) {
      return Function::with_order(0, f);
    } else {
      return f(XyRouting{});
    }
  });
}

static_assert([] {
  for (int r = 0; r < RoutingFunctions::kCount; ++r) {
    const auto routing = static_cast<RoutingKind>(r);
    const int orders =
        RoutingFunctions::with(routing, []<class Function>(Function) { return Function::kOrders; });
    if (orders != orders_of(routing)) return false;
  }
  return true;
}());

/// Throws ConfigError if the routers cannot have their routing function.
void check_routing(const RouterConfig& router);

}  // namespace annelid::systemc
