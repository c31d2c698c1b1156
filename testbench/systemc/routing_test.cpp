// The routing functions: each unit by its own rule, and all of them by walking from router to
// router.
#include "systemc/network/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "systemc/network/room.hpp"
#include "systemc/network/route.hpp"
#include "testbench/systemc/order_of_dimensions.hpp"
#include "testbench/systemc/turn_rules.hpp"

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

// ---- O1TURN -------------------------------------------------------------------------------------

TEST(O1TurnRouting, TheOrderIsTheParityOfTheWholeHead) {
  EXPECT_EQ(O1TurnRouting::order_of(0), 0u);
  for (unsigned bit = 0; bit < 64; ++bit) {
    EXPECT_EQ(O1TurnRouting::order_of(std::uint64_t{1} << bit), 1u) << bit;
    EXPECT_EQ(O1TurnRouting::order_of(~(std::uint64_t{1} << bit)), 1u) << bit;
    EXPECT_EQ(O1TurnRouting::order_of(std::uint64_t{3} << bit), bit == 63 ? 1u : 0u) << bit;
  }
  int of_y_first = 0;
  for (std::uint16_t tag = 0; tag < 1000; ++tag) {
    const HeadFields head{{3, 5, 0}, {7, 1, 0}, tag};
    EXPECT_EQ(order_of_packet(RoutingKind::kO1turn, pack(head)) == 1, goes_by_y_first(head));
    EXPECT_EQ(order_of_packet(RoutingKind::kYx, pack(head)), 0u) << "one order has no number";
    of_y_first += goes_by_y_first(head) ? 1 : 0;
  }
  EXPECT_EQ(of_y_first, 500) << "consecutive tags use both equally often";
}

TEST(O1TurnRouting, AHeadOfAnOrderIsFoundForEveryPair) {
  for (std::uint8_t x = 0; x < 5; ++x) {
    for (const unsigned order : {0u, 1u}) {
      const HeadFields head = head_of_order(RoutingKind::kO1turn, order, {x, 2, 0}, {3, 1, 0});
      EXPECT_EQ(head.source, (Address{x, 2, 0}));
      EXPECT_EQ(head.destination, (Address{3, 1, 0}));
      EXPECT_EQ(order_of_packet(RoutingKind::kO1turn, pack(head)), order);
    }
  }
  EXPECT_EQ(head_of_order(RoutingKind::kXy, 0, {1, 0, 0}, {2, 0, 0}).tag, 0);
}

TEST(O1TurnRouting, EachOrderHasClassesOfItsOwn) {
  RouterConfig mesh{.vcs = 5, .control_vc = true, .routing = RoutingKind::kO1turn};
  const auto range = [](const RouterConfig& router, unsigned order, Port out, bool control) {
    const HeadFields head = head_of_order(router.routing, order, {3, 1, 0}, {1, 3, 0});
    const VcRange open = open_vcs(router, control, out, {3, 1, 0}, head);
    return std::pair(open.first, open.count);
  };
  using Range = std::pair<int, int>;
  EXPECT_EQ(range(mesh, 0, kPlusX, false), Range(0, 2));
  EXPECT_EQ(range(mesh, 1, kPlusX, false), Range(2, 3));
  EXPECT_EQ(range(mesh, 0, kPlusX, true), Range(5, 1));
  EXPECT_EQ(range(mesh, 1, kPlusX, true), Range(6, 1));
  EXPECT_EQ(range(mesh, 1, 4, true), Range(1, 1)) << "an ejection channel has one class";
  // A ring in x: four classes there, two in y. Down from 3 to 1 no packet wraps: class 1.
  RouterConfig ring = mesh;
  ring.vcs = 4;
  ring.torus = {true};
  EXPECT_EQ(ring.wanted_classes(), 4);
  EXPECT_EQ(ring.most_control_vcs(), 4);
  EXPECT_EQ(range(ring, 0, kMinusX, false), Range(1, 1));
  EXPECT_EQ(range(ring, 1, kMinusX, false), Range(3, 1));
  EXPECT_EQ(range(ring, 1, kMinusX, true), Range(7, 1));
  EXPECT_EQ(range(ring, 0, kPlusY, false), Range(0, 2));
  EXPECT_EQ(range(ring, 1, kPlusY, false), Range(2, 2));
  EXPECT_EQ(range(ring, 1, kPlusY, true), Range(5, 1));
  // Too few: one class for all.
  ring.vcs = 3;
  EXPECT_EQ(ring.most_classes(), 1);
  EXPECT_EQ(range(ring, 1, kMinusX, false), Range(0, 3));
  EXPECT_EQ(range(ring, 1, kMinusX, true), Range(3, 1));
}

TEST(O1TurnRouting, TheDefaultIsAVcForEachClassAndFewerAreRefused) {
  RouterConfig router{.routing = RoutingKind::kO1turn};
  EXPECT_EQ(router.default_vcs(), 2);
  const auto refusal = [](const RouterConfig& config) -> std::string {
    try {
      validate(config);
      return "";
    } catch (const ConfigError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refusal(router),
            "router.vcs: found 1, expected at least 2 for the orders of o1turn, or "
            "router.allow_deadlock = true");
  router.torus = {true, true};
  router.vcs = 3;
  EXPECT_EQ(router.default_vcs(), 4);
  EXPECT_EQ(refusal(router),
            "router.vcs: found 3, expected at least 4 for the classes of a torus and the orders of "
            "o1turn, or router.allow_deadlock = true");
  router.classes = TorusClasses::kPlh;
  EXPECT_EQ(router.default_vcs(), 6);
  router.allow_deadlock = true;
  EXPECT_EQ(refusal(router), "");
  router.vcs = 6;
  router.control_vc = true;
  EXPECT_EQ(refusal(router),
            "router.vcs: found 6, expected at most 2, as 6 data VCs and 6 control VCs make 12 of "
            "at most 8, or router.control_vc = false");
}

// ---- Turn models --------------------------------------------------------------------------------

constexpr RoutingKind kTurnModels[] = {RoutingKind::kWestFirst, RoutingKind::kNorthLast,
                                       RoutingKind::kNegativeFirst, RoutingKind::kOddEven};

NetworkConfig turning(RoutingKind routing, int width, int height) {
  NetworkConfig network{{width, height, 1}, {}};
  network.router.routing = routing;
  validate(network);
  return network;
}

/// All (router, last direction) that packets from s to t can be at, and the outputs there.
struct Explored {
  std::size_t states = 0, choices = 0;
};
void explore(const NetworkConfig& network, Address s, Address t, Explored& explored) {
  std::set<std::pair<NodeId, int>> seen;
  std::vector<std::pair<Address, int>> open{{s, kNowhere}};
  while (!open.empty()) {
    const auto [at, by] = open.back();
    open.pop_back();
    if (!seen.emplace(network.id(at), by).second) continue;
    const Port in =
        by == kNowhere ? network.router.injection_input(1) : opposite(static_cast<Port>(by));
    const unsigned outputs = permitted_outputs(network, at, {t, s, 7}, in);
    if (at == t) {
      ASSERT_EQ(outputs, 1u << (4 + in % 4)) << "the ejection port of its last input";
      continue;
    }
    const std::vector<int> expected = outputs_by_turns(network.router.routing, at, by, t);
    unsigned mask = 0;
    for (const int output : expected) {
      mask |= 1u << output;
      open.emplace_back(step_by(at, output), output);
    }
    ASSERT_EQ(outputs, mask) << name_of(network.router.routing) << " from " << int{s.x} << ","
                             << int{s.y} << " to " << int{t.x} << "," << int{t.y} << " at "
                             << int{at.x} << "," << int{at.y} << " by " << by;
    ++explored.states;
    if (expected.size() > 1) ++explored.choices;
  }
}

TEST(TurnModels, PermitWhateverLeadsThereByAMinimalPathWithoutAForbiddenTurn) {
  for (const RoutingKind routing : kTurnModels) {
    Explored explored;
    for (const auto& [width, height] : {std::pair{7, 5}, {6, 6}, {1, 4}, {5, 1}, {2, 2}}) {
      const NetworkConfig network = turning(routing, width, height);
      for (NodeId s = 0; s < network.nodes(); ++s) {
        for (NodeId t = 0; t < network.nodes(); ++t) {
          if (s == t) continue;
          explore(network, network.address(s), network.address(t), explored);
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
    }
    EXPECT_GT(explored.states, 10000u);
    EXPECT_GT(explored.choices, explored.states / 10) << "with two outputs";
    EXPECT_LT(explored.choices, explored.states / 2);
  }
}

TEST(TurnModels, HaveTheirRules) {
  constexpr unsigned kE = 1, kW = 2, kN = 4, kS = 8;
  const auto at = [](auto model, Address here, Address to, Address source) {
    return decltype(model)::outputs(pack(here), pack(source), pack(to));
  };
  const Address o{4, 4, 0}, ne{6, 6, 0}, nw{2, 6, 0}, se{6, 2, 0}, sw{2, 2, 0};
  EXPECT_EQ(at(WestFirstRouting{}, o, nw, o), kW);
  EXPECT_EQ(at(WestFirstRouting{}, o, sw, o), kW);
  EXPECT_EQ(at(WestFirstRouting{}, o, ne, o), kE | kN);
  EXPECT_EQ(at(WestFirstRouting{}, o, se, o), kE | kS);
  EXPECT_EQ(at(NorthLastRouting{}, o, ne, o), kE);
  EXPECT_EQ(at(NorthLastRouting{}, o, nw, o), kW);
  EXPECT_EQ(at(NorthLastRouting{}, o, sw, o), kW | kS);
  EXPECT_EQ(at(NorthLastRouting{}, o, {4, 6, 0}, o), kN);
  EXPECT_EQ(at(NegativeFirstRouting{}, o, ne, o), kE | kN);
  EXPECT_EQ(at(NegativeFirstRouting{}, o, sw, o), kW | kS);
  EXPECT_EQ(at(NegativeFirstRouting{}, o, se, o), kS);
  EXPECT_EQ(at(NegativeFirstRouting{}, o, nw, o), kW);
  EXPECT_EQ(at(OddEvenRouting{}, o, ne, o), kE | kN) << "its own column";
  EXPECT_EQ(at(OddEvenRouting{}, o, ne, {3, 4, 0}), kE) << "an even column";
  EXPECT_EQ(at(OddEvenRouting{}, {5, 4, 0}, ne, {3, 4, 0}), kN) << "before an even column";
  EXPECT_EQ(at(OddEvenRouting{}, {3, 4, 0}, ne, {0, 4, 0}), kE | kN);
  EXPECT_EQ(at(OddEvenRouting{}, o, {5, 6, 0}, o), kE | kN) << "the next column is odd";
  EXPECT_EQ(at(OddEvenRouting{}, o, nw, o), kW | kN);
  EXPECT_EQ(at(OddEvenRouting{}, {5, 4, 0}, nw, o), kW);
  EXPECT_EQ(at(OddEvenRouting{}, {5, 4, 0}, {5, 2, 0}, o), kS);
}

TEST(TurnModels, AreRefusedButInMeshesOfTwoDimensions) {
  for (const RoutingKind routing : kTurnModels) {
    RouterConfig router{.routing = routing};
    EXPECT_NO_THROW(validate(router));
    EXPECT_EQ(router.default_vcs(), 1);
    const auto refusal = [](const RouterConfig& config) -> std::string {
      try {
        validate(config);
        return "";
      } catch (const ConfigError& error) {
        return error.what();
      }
    };
    const std::string found = std::string("router.routing: found ") + name_of(routing);
    const std::string two = found +
                            ", expected xy, yx or o1turn, as turn models serve meshes of two "
                            "dimensions";
    router.dims = 3;
    EXPECT_EQ(refusal(router), two);
    router.dims = 1;
    router.local_ports = 2;
    EXPECT_EQ(refusal(router), two);
    router.dims = 2;
    router.torus = {false, true};
    EXPECT_EQ(refusal(router), two);
    router.local_ports = 1;
    router.kind = RouterKind::kOnePort;
    EXPECT_EQ(refusal(router), found +
                                   ", expected xy, as one-port routers go from x to y to z, or "
                                   "router.kind = all-port");
  }
}

TEST(Room, IsWhatTheOpenVcsHaveThatNobodyOwns) {
  NetworkConfig network = turning(RoutingKind::kWestFirst, 4, 4);
  network.router.vcs = 2;
  network.router.control_vc = true;
  RouterState state{};
  const HeadFields head{{3, 3, 0}, {0, 0, 0}, 1};
  const Address here{1, 1, 0};
  const auto taken = [&](Vc vc) { return output_of_head(network, here, head, state, 1, vc); };
  EXPECT_EQ(taken(0), kPlusX) << "both have none";
  state.output[kPlusX] = {{{2, false}, {1, false}, {0, false}}};
  state.output[kPlusY] = {{{3, false}, {0, false}, {1, false}}};
  EXPECT_EQ(taken(0), kPlusX) << "3 and 3";
  EXPECT_EQ(taken(2), kPlusY) << "the control VCs have 0 and 1";
  state.output[kPlusY][1].credits = 1;
  EXPECT_EQ(taken(0), kPlusY) << "3 and 4";
  state.output[kPlusY][0].owned = true;
  EXPECT_EQ(taken(0), kPlusX) << "3 and 1";
  state.input[1][0].routed = true;
  state.input[1][0].out_port = kPlusY;
  EXPECT_EQ(taken(0), kPlusY) << "it keeps what RC has said";
}

// ---- All functions ------------------------------------------------------------------------------

std::vector<NetworkConfig> small_networks() {
  std::vector<NetworkConfig> networks;
  for (int r = 0; r < RoutingFunctions::kCount; ++r) {
    const auto routing = static_cast<RoutingKind>(r);
    if (!has_fixed_paths(routing)) continue;
    for (const auto& torus : {std::array{false, false, false}, std::array{true, false, true}}) {
      for (const RouterKind kind : {RouterKind::kAllPort, RouterKind::kOnePort}) {
        NetworkConfig network{{4, 3, 5}, {.local_ports = 1, .vcs = 4, .dims = 3, .kind = kind}};
        network.router.torus = torus;
        network.router.routing = routing;
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
std::vector<Port> walk(const NetworkConfig& network, const HeadFields& head) {
  std::vector<Port> path;
  SwitchEnd at{head.source, network.router.injection_input(0)};
  for (int steps = 0; steps < 50; ++steps) {
    const Port out = route(network, at.address, head, at.port);
    if (network.router.is_ejection(out)) break;
    if (network.router.is_external(out)) path.push_back(out);
    at = receiver_of(network, at.address, out).value();
  }
  EXPECT_EQ(at.address, head.destination);
  return path;
}

/// The external outputs of the legs that the unit of an order names.
std::vector<Port> outputs_of_legs(const NetworkConfig& network, unsigned order, Address from,
                                  Address to) {
  std::vector<Port> outputs;
  with_path(network.router.routing, order, [&]<class Path>(Path) {
    for (const Leg& leg : legs<Path>(from, to)) {
      const int distance =
          signed_distance(leg.from, leg.to, network.size_of(leg.dim), network.is_ring(leg.dim));
      outputs.insert(outputs.end(), static_cast<std::size_t>(std::abs(distance)),
                     static_cast<Port>(2 * leg.dim + (distance < 0 ? 1 : 0)));
    }
  });
  return outputs;
}

TEST(RoutingFunctions, LeadEveryPacketByAMinimalPathWithTheLegsThatTheUnitNames) {
  int paths = 0;
  for (const NetworkConfig& network : small_networks()) {
    const RoutingKind routing = network.router.routing;
    for (NodeId s = 0; s < network.nodes(); ++s) {
      for (NodeId t = 0; t < network.nodes(); ++t) {
        if (s == t) continue;
        const Address from = network.address(s), to = network.address(t);
        for (unsigned order = 0; order < static_cast<unsigned>(orders_of(routing)); ++order) {
          const std::vector<Port> path = walk(network, head_of_order(routing, order, from, to));
          ASSERT_EQ(path.size(), static_cast<std::size_t>(hops(network, from, to)));
          ASSERT_EQ(path, outputs_of_legs(network, order, from, to));
          if (order == 0) {
            ASSERT_EQ(path.front(), first_output(network, from, to));
            ASSERT_EQ(opposite(path.back()), last_input(network, from, to));
          }
          for (std::size_t hop = 1; hop < path.size(); ++hop) {
            const unsigned d = path[hop - 1] / 2u, e = path[hop] / 2u;
            const bool turns =
                with_path(routing, order, [&]<class Path>(Path) { return Path::may_turn(d, e); });
            ASSERT_TRUE(d == e || turns);
          }
          ++paths;
        }
      }
    }
  }
  EXPECT_GE(paths, 8 * 60 * 59);
}

TEST(RoutingFunctions, ThatLeaveThePathOpenChooseTheInjectionPortByTheOrderXy) {
  for (int r = 0; r < RoutingFunctions::kCount; ++r) {
    const auto routing = static_cast<RoutingKind>(r);
    NetworkConfig network{{4, 4, 1}, {.vcs = 2}};
    network.router.routing = routing;
    const Port expected = routing == RoutingKind::kYx ? kMinusY : kPlusX;
    EXPECT_EQ(first_output(network, {1, 2, 0}, {3, 0, 0}), expected) << name_of(routing);
    EXPECT_EQ(has_one_path(routing), r < 2) << name_of(routing);
  }
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
