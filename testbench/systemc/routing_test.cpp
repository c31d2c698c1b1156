// The routing functions: each unit by its own rule, and all of them by walking from router to
// router.
#include "systemc/network/routing.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "systemc/network/route.hpp"

namespace annelid::systemc {
namespace {

/// The dimensions of a set, as an address difference.
std::uint32_t away_in(unsigned set) {
  std::uint32_t away = 0;
  for (unsigned d = 0; d < kMaxDims; ++d) away |= (set >> d & 1) != 0 ? 0x81u << 8 * d : 0u;
  return away;
}

struct Leg {
  int dim, from, to;
  friend bool operator==(const Leg&, const Leg&) = default;
};
template <class Function>
std::vector<Leg> legs(Address from, Address to) {
  std::vector<Leg> legs;
  Function::each_leg(pack(from), pack(to), [&](int d, int here, int there) {
    legs.push_back({d, here, there});
  });
  return legs;
}

// ---- XY -----------------------------------------------------------------------------------------

TEST(XyRouting, TakesTheLowestDimensionFirst) {
  for (unsigned set = 1; set < 8; ++set) {
    unsigned lowest = 0, highest = 2;
    while ((set >> lowest & 1) == 0) ++lowest;
    while ((set >> highest & 1) == 0) --highest;
    EXPECT_EQ(XyRouting::next_dimension(away_in(set)), lowest);
    EXPECT_EQ(XyRouting::last_dimension(away_in(set)), highest);
  }
  EXPECT_EQ(XyRouting::next_dimension(0x10000), 2u) << "one hop in z";
}

TEST(XyRouting, TurnsToHigherDimensionsOnly) {
  for (unsigned d = 0; d < 3; ++d) {
    for (unsigned e = 0; e < 3; ++e) EXPECT_EQ(XyRouting::may_turn(d, e), d < e);
  }
  EXPECT_TRUE(XyRouting::serves_one_port());
}

TEST(XyRouting, HasTheLegsOfEveryFunctionByDimension) {
  for (const Address from : {Address{3, 7, 0}, Address{0, 0, 0}, Address{255, 1, 9}}) {
    for (const Address to : {Address{3, 9, 0}, Address{4, 7, 1}, Address{0, 255, 9}}) {
      EXPECT_EQ(legs<XyRouting>(from, to), legs<ByDimension<XyRouting>>(from, to));
    }
  }
  EXPECT_EQ(legs<XyRouting>({1, 5, 2}, {4, 5, 0}), (std::vector<Leg>{{0, 1, 4}, {2, 2, 0}}));
}

// ---- YX -----------------------------------------------------------------------------------------

TEST(YxRouting, TakesTheHighestDimensionFirst) {
  for (unsigned set = 1; set < 8; ++set) {
    unsigned lowest = 0, highest = 2;
    while ((set >> lowest & 1) == 0) ++lowest;
    while ((set >> highest & 1) == 0) --highest;
    EXPECT_EQ(YxRouting::next_dimension(away_in(set)), highest);
    EXPECT_EQ(YxRouting::last_dimension(away_in(set)), lowest);
  }
  EXPECT_EQ(YxRouting::next_dimension(0x10000), 2u) << "one hop in z";
  EXPECT_EQ(YxRouting::next_dimension(0x0ffff), 1u) << "none in z";
}

TEST(YxRouting, TurnsToLowerDimensionsOnly) {
  for (unsigned d = 0; d < 3; ++d) {
    for (unsigned e = 0; e < 3; ++e) EXPECT_EQ(YxRouting::may_turn(d, e), d > e);
  }
  EXPECT_FALSE(YxRouting::serves_one_port());
}

TEST(YxRouting, HasItsLegsFromZToX) {
  EXPECT_EQ(legs<YxRouting>({1, 2, 3}, {4, 5, 6}),
            (std::vector<Leg>{{2, 3, 6}, {1, 2, 5}, {0, 1, 4}}));
  EXPECT_EQ(legs<YxRouting>({1, 5, 2}, {4, 5, 0}), (std::vector<Leg>{{2, 2, 0}, {0, 1, 4}}));
}

TEST(YxRouting, IsRefusedForOnePortRouters) {
  for (const int dims : {1, 2, 3}) {
    RouterConfig router{.local_ports = 1, .dims = dims, .routing = RoutingKind::kYx};
    EXPECT_NO_THROW(validate(router));
    router.kind = RouterKind::kOnePort;
    try {
      validate(router);
      ADD_FAILURE() << dims;
    } catch (const ConfigError& error) {
      EXPECT_STREQ(error.what(),
                   "router.routing: found yx, expected xy, as one-port routers go from x to y to "
                   "z, or router.kind = all-port");
    }
  }
}

// ---- Another function, as somebody might add it -------------------------------------------------

/// z, then x, then y.
struct ZxyRouting : ByDimension<ZxyRouting> {
  static constexpr unsigned next_dimension(std::uint32_t away) {
    return away > 0xffff ? 2 : (away & 0xff) != 0 ? 0 : 1;
  }
};

TEST(ByDimension, EverythingFollowsFromTheNextDimension) {
  EXPECT_EQ(legs<ZxyRouting>({1, 2, 3}, {4, 5, 6}),
            (std::vector<Leg>{{2, 3, 6}, {0, 1, 4}, {1, 2, 5}}));
  EXPECT_EQ(ZxyRouting::last_dimension(away_in(0b101)), 0u);
  EXPECT_EQ(ZxyRouting::last_dimension(away_in(0b111)), 1u);
  EXPECT_TRUE(ZxyRouting::may_turn(2, 0));
  EXPECT_TRUE(ZxyRouting::may_turn(2, 1));
  EXPECT_TRUE(ZxyRouting::may_turn(0, 1));
  EXPECT_FALSE(ZxyRouting::may_turn(0, 2));
  EXPECT_FALSE(ZxyRouting::may_turn(1, 0));
  EXPECT_FALSE(ZxyRouting::may_turn(1, 1));
}

TEST(ByDimension, OnePortRoutersServeNoFunctionThatTurnsBack) {
  EXPECT_FALSE(ZxyRouting::serves_one_port());
}

// ---- All functions ------------------------------------------------------------------------------

std::vector<NetworkConfig> small_networks() {
  std::vector<NetworkConfig> networks;
  for (int r = 0; r < RoutingFunctions::kCount; ++r) {
    for (const auto& torus : {std::array{false, false, false}, std::array{true, false, true}}) {
      for (const RouterKind kind : {RouterKind::kAllPort, RouterKind::kOnePort}) {
        NetworkConfig network{{4, 3, 5}, {.local_ports = 1, .vcs = 2, .dims = 3, .kind = kind}};
        network.router.torus = torus;
        network.router.routing = static_cast<RoutingKind>(r);
        const bool serves = RoutingFunctions::with(
            network.router.routing,
            []<class Function>(Function) { return Function::serves_one_port(); });
        if (network.router.one_port() && !serves) {
          EXPECT_THROW(validate(network), ConfigError);
          continue;
        }
        validate(network);
        networks.push_back(network);
      }
    }
  }
  return networks;
}

/// The external outputs of a packet, from router to router.
std::vector<Port> walk(const NetworkConfig& network, Address from, Address to) {
  std::vector<Port> path;
  SwitchEnd at{from, network.router.injection_input(0)};
  for (int steps = 0; steps < 50; ++steps) {
    const Port out = route(network, at.address, to, at.port);
    if (network.router.is_ejection(out)) break;
    if (network.router.is_external(out)) path.push_back(out);
    at = receiver_of(network, at.address, out).value();
  }
  EXPECT_EQ(at.address, to);
  return path;
}

TEST(RoutingFunctions, LeadEveryPacketByAMinimalPathWithTheLegsThatTheUnitNames) {
  int paths = 0;
  for (const NetworkConfig& network : small_networks()) {
    for (NodeId s = 0; s < network.nodes(); ++s) {
      for (NodeId t = 0; t < network.nodes(); ++t) {
        if (s == t) continue;
        const Address from = network.address(s), to = network.address(t);
        const std::vector<Port> path = walk(network, from, to);
        ASSERT_EQ(path.size(), static_cast<std::size_t>(hops(network, from, to)));
        ASSERT_EQ(path.front(), first_output(network, from, to));
        ASSERT_EQ(opposite(path.back()), last_input(network, from, to));
        std::vector<Port> expected;
        RoutingFunctions::with(network.router.routing, [&]<class Function>(Function) {
          for (const Leg& leg : legs<Function>(from, to)) {
            const int distance = signed_distance(leg.from, leg.to, network.size_of(leg.dim),
                                                 network.is_ring(leg.dim));
            expected.insert(expected.end(), static_cast<std::size_t>(std::abs(distance)),
                            static_cast<Port>(2 * leg.dim + (distance < 0 ? 1 : 0)));
          }
        });
        ASSERT_EQ(path, expected);
        for (std::size_t hop = 1; hop < path.size(); ++hop) {
          const unsigned d = path[hop - 1] / 2u, e = path[hop] / 2u;
          const bool turns = RoutingFunctions::with(
              network.router.routing,
              [&]<class Function>(Function) { return Function::may_turn(d, e); });
          ASSERT_TRUE(d == e || turns);
        }
        ++paths;
      }
    }
  }
  EXPECT_GE(paths, 4 * 60 * 59);
}

// ---- A ring -------------------------------------------------------------------------------------

TEST(RingRules, TheShorterWayAndUpIfBothAreEqual) {
  EXPECT_EQ(hops_up(1, 4, 6), 3);
  EXPECT_EQ(hops_up(4, 1, 6), 3);
  EXPECT_TRUE(goes_up(4, 1, 6)) << "a tie";
  EXPECT_TRUE(goes_up(1, 4, 6)) << "a tie";
  EXPECT_FALSE(goes_up(1, 5, 6));
  EXPECT_TRUE(goes_up(5, 0, 7));
  EXPECT_FALSE(goes_up(0, 4, 7));
}

TEST(RingRules, TheClassSaysWhereTheWrapAroundLinkIs) {
  using enum TorusClasses;
  // Up from 6 to 1 of 8 nodes: ahead at 6 and 7, behind at 0. Up from 1 to 3: nowhere.
  EXPECT_EQ(class_in_ring(kDateline, true, 6, 6, 1), 0u);
  EXPECT_EQ(class_in_ring(kDateline, true, 7, 6, 1), 0u);
  EXPECT_EQ(class_in_ring(kDateline, true, 0, 6, 1), 1u);
  EXPECT_EQ(class_in_ring(kDateline, true, 1, 1, 3), 1u);
  EXPECT_EQ(class_in_ring(kPlh, true, 6, 6, 1), 1u);
  EXPECT_EQ(class_in_ring(kPlh, true, 0, 6, 1), 2u);
  EXPECT_EQ(class_in_ring(kPlh, true, 1, 1, 3), 0u);
  // Down from 1 to 6: the same, in the other direction.
  EXPECT_EQ(class_in_ring(kDateline, false, 0, 1, 6), 0u);
  EXPECT_EQ(class_in_ring(kDateline, false, 7, 1, 6), 1u);
  EXPECT_EQ(class_in_ring(kPlh, false, 0, 1, 6), 1u);
  EXPECT_EQ(class_in_ring(kPlh, false, 7, 1, 6), 2u);
  EXPECT_EQ(class_in_ring(kPlh, false, 3, 3, 1), 0u);
}

}  // namespace
}  // namespace annelid::systemc
