// Random traffic over many router shapes: end-to-end scoreboard, invariants in every cycle,
// conservation, determinism.
#include <gmock/gmock.h>

#include <cstdlib>
#include <sstream>

#include "systemc/analysis/flit_log.hpp"
#include "systemc/analysis/observer_tee.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/systemc/invariants.hpp"
#include "testbench/systemc/names.hpp"
#include "testbench/systemc/scoreboard.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid::systemc {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

/// ANNELID_SEED chooses other traffic.
std::uint64_t seed() {
  const char* text = std::getenv("ANNELID_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 1;
}

struct Shape {
  NetworkConfig network;
  TrafficConfig traffic;
};

void PrintTo(const Shape& shape, std::ostream* out) {
  PrintTo(shape.network, out);
  *out << "_F" << shape.traffic.packet_flits;
}

class RandomTraffic : public ::testing::TestWithParam<Shape> {};

TEST_P(RandomTraffic, DeliversEveryFlitOnceInOrderWithAllInvariantsInEveryCycle) {
  SCOPED_TRACE("ANNELID_SEED=" + std::to_string(seed()));
  const Shape& shape = GetParam();
  TrafficConfig config = shape.traffic;
  config.seed = seed();
  config.packets = 20 + 200 / static_cast<std::uint64_t>(config.packet_flits);
  Fabric fabric("fabric");
  Network network("network", fabric, shape.network);
  Traffic traffic("traffic", network, config);
  Scoreboard scoreboard(shape.network);
  Invariants invariants(network);
  ObserverTee tee({&scoreboard, &invariants});
  fabric.set_observer(&tee);

  ASSERT_EQ(fabric.run_until(1000000), RunStatus::kQuiet);
  scoreboard.expect_empty();
  EXPECT_THAT(scoreboard.violations(), IsEmpty());
  EXPECT_THAT(invariants.violations(), IsEmpty());

  const std::uint64_t packets = config.packets * shape.network.nodes();
  const auto length = static_cast<std::uint64_t>(config.packet_flits);
  EXPECT_EQ(traffic.counts().packets_created, packets);
  EXPECT_EQ(scoreboard.packets_delivered(), packets);
  EXPECT_EQ(scoreboard.flits_delivered(), packets * length);
  EXPECT_EQ(traffic.counts().flits_ejected, packets * length);
  EXPECT_EQ(fabric.flits_in_flight(), 0u);
  EXPECT_EQ(invariants.under_way() > 0,
            shape.network.router.stages > 1 || shape.network.router.link_registers > 0);
  // The stimulus did what it is for: every cause of blocking was seen, where it can be.
  EXPECT_GT(invariants.cycles(), 100u);
  if (length > 1) {
    EXPECT_GT(invariants.causes()[0] + invariants.causes()[1], 0u);
  }
  EXPECT_GT(invariants.causes()[2], 0u);
}

constexpr RouterKind kOne = RouterKind::kOnePort;
constexpr ArbiterKind kMatrix = ArbiterKind::kMatrix, kFixed = ArbiterKind::kFixedPriority;
constexpr TorusClasses kPlh = TorusClasses::kPlh;
constexpr std::array<bool, 3> kX{true, false, false}, kXy{true, true, false},
    kXyz{true, true, true}, kYz{false, true, true};

INSTANTIATE_TEST_SUITE_P(
    Meshes, RandomTraffic,
    ::testing::Values(
        Shape{{{4, 4, 1}, {4, 1, 1, 4}}, {.load = 0.5}},
        Shape{{{4, 4, 1}, {4, 1, 1, 1}}, {.load = 0.4}},
        Shape{{{4, 4, 1}, {4, 1, 1, 2}}, {.load = 0.7, .packet_flits = 1}},
        Shape{{{4, 4, 1}, {1, 2, 1, 3}}, {.load = 0.5, .packet_flits = 5}},
        Shape{{{4, 4, 1}, {2, 2, 3, 2}}, {.load = 0.8, .packet_flits = 3, .sink_stall = 0.5}},
        Shape{{{4, 4, 1}, {3, 4, 2, 5}}, {.load = 0.9, .packet_flits = 20, .sink_stall = 0.3}},
        Shape{{{4, 4, 1}, {4, 8, 8, 1}}, {.load = 1.0, .packet_flits = 4, .sink_stall = 0.6}},
        Shape{{{4, 4, 1}, {4, 8, 8, 64}}, {.load = 2.0, .packet_flits = 30, .sink_stall = 0.2}},
        Shape{{{7, 3, 1}, {4, 3, 2, 4}}, {.load = 0.6, .packet_flits = 2}},
        Shape{{{9, 1, 1}, {2, 1, 1, 4}}, {.load = 0.3, .packet_flits = 6}},
        Shape{{{1, 6, 1}, {4, 2, 1, 4}}, {.load = 0.6, .packet_flits = 6}},
        Shape{{{9, 1, 1}, {1, 1, 1, 4, 1}}, {.load = 0.3, .packet_flits = 6}},
        Shape{{{3, 3, 3}, {6, 2, 1, 4, 3}}, {.load = 0.8, .packet_flits = 5}},
        Shape{{{3, 2, 4}, {3, 8, 2, 2, 3}}, {.load = 0.9, .packet_flits = 7, .sink_stall = 0.3}},
        Shape{{{4, 4, 1}, {4, 2, 1, 4, 2, {}, 1, 0, kMatrix}}, {.load = 0.7}},
        Shape{{{4, 4, 1}, {4, 1, 1, 4, 2, {}, 2}}, {.load = 0.6}},
        Shape{{{4, 4, 1}, {4, 2, 2, 1, 2, {}, 2, 1}}, {.load = 0.6, .packet_flits = 3}},
        Shape{{{4, 4, 1}, {2, 3, 1, 6, 2, {}, 3, 1, kMatrix}}, {.load = 0.7, .packet_flits = 1}},
        Shape{{{4, 4, 1}, {4, 8, 3, 12, 2, {}, 4, 4}}, {.load = 0.9, .sink_stall = 0.3}},
        Shape{{{4, 4, 1}, {4, 3, 1, 2, 2, {}, 4, 0, kMatrix}}, {.load = 0.9, .packet_flits = 2}},
        Shape{{{4, 4, 1}, {1, 1, 1, 64, 2, {}, 1, 4}}, {.load = 0.5}},
        Shape{{{3, 3, 2}, {5, 8, 8, 3, 3, {}, 4, 1, kMatrix}}, {.load = 1, .sink_stall = 0.4}},
        Shape{{{4, 4, 1}, {4, 2, 1, 4, 2, {}, 1, 0, kFixed}}, {.load = 0.7}},
        Shape{{{4, 3, 2}, {2, 3, 2, 5, 3, {}, 4, 1, kFixed}}, {.load = 0.8, .packet_flits = 3}}),
    ::testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(
    Tori, RandomTraffic,
    ::testing::Values(
        Shape{{{4, 4, 1}, {4, 2, 1, 4, 2, {}, 1, 0, {}, kXy}}, {.load = 0.8}},
        Shape{{{5, 1, 1}, {2, 2, 1, 4, 1, {}, 1, 0, {}, kX}}, {.load = 0.7}},
        Shape{{{8, 1, 1}, {1, 3, 1, 2, 1, {}, 1, 0, {}, kX, kPlh}}, {.load = 0.5}},
        Shape{{{2, 3, 1}, {4, 2, 1, 4, 2, {}, 1, 0, {}, kXy}}, {.load = 0.9}},
        Shape{{{4, 1, 1}, {4, 2, 1, 4, 2, {}, 1, 0, {}, kXy}}, {.load = 0.7}},
        Shape{{{5, 4, 1}, {3, 8, 2, 2, 2, {}, 3, 1, kMatrix, kXy, kPlh}}, {.load = 0.9}},
        Shape{{{4, 3, 1}, {4, 3, 1, 8, 2, {}, 4, 1, {}, kX}}, {.load = 0.8, .packet_flits = 5}},
        Shape{{{3, 3, 3}, {6, 2, 1, 4, 3, {}, 1, 0, {}, kXyz}}, {.load = 0.9}},
        Shape{{{2, 4, 3}, {3, 3, 1, 1, 3, {}, 2, 4, kMatrix, kYz}}, {.load = 0.5}},
        Shape{{{6, 3, 1}, {2, 8, 1, 64, 2, {}, 4, 4, {}, kXy, kPlh}}, {.load = 0.9}}),
    ::testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(
    OnePort, RandomTraffic,
    ::testing::Values(
        Shape{{{9, 1, 1}, {1, 1, 1, 4, 1, kOne}}, {.load = 0.3, .packet_flits = 6}},
        Shape{{{4, 4, 1}, {1, 1, 1, 4, 2, kOne}}, {.load = 0.4}},
        Shape{{{4, 4, 1}, {1, 2, 8, 1, 2, kOne}}, {.load = 0.4, .packet_flits = 3}},
        Shape{{{4, 4, 1}, {1, 3, 2, 4, 2, kOne, 2, 1, kMatrix}}, {.load = 0.5}},
        Shape{{{3, 3, 3}, {1, 1, 1, 2, 3, kOne, 3}}, {.load = 0.4, .sink_stall = 0.2}},
        Shape{{{4, 4, 1}, {1, 2, 1, 4, 2, kOne, 1, 0, {}, kXy}}, {.load = 0.5}},
        Shape{{{4, 3, 2}, {1, 8, 3, 12, 3, kOne, 4, 4, kMatrix, kXyz, kPlh}}, {.load = 0.6}},
        Shape{{{5, 4, 1}, {1, 3, 2, 64, 2, kOne, 4, 0, {}, kX, kPlh}}, {.load = 0.6}},
        Shape{{{4, 4, 1}, {1, 2, 1, 4, 2, kOne, 2, 0, kFixed}}, {.load = 0.5}}),
    ::testing::PrintToStringParamName());

constexpr RouterConfig in_order_yx(RouterConfig router) {
  router.routing = RoutingKind::kYx;
  return router;
}

INSTANTIATE_TEST_SUITE_P(
    OrderYx, RandomTraffic,
    ::testing::Values(
        Shape{{{4, 4, 1}, in_order_yx({4, 1, 1, 4})}, {.load = 0.5}},
        Shape{{{5, 3, 1}, in_order_yx({3, 3, 2, 4, 2, {}, 3, 1, kMatrix})}, {.load = 0.7}},
        Shape{{{4, 3, 3}, in_order_yx({6, 2, 1, 4, 3})}, {.load = 0.8, .packet_flits = 5}},
        Shape{{{5, 4, 1}, in_order_yx({4, 2, 1, 4, 2, {}, 1, 0, {}, kXy})}, {.load = 0.8}},
        Shape{{{3, 4, 3}, in_order_yx({3, 3, 1, 4, 3, {}, 4, 1, kFixed, kYz, kPlh})},
              {.load = 0.7}}),
    ::testing::PrintToStringParamName());

constexpr RouterConfig selecting(VcSelectionKind selection, RouterConfig router) {
  router.vc_selection = selection;
  return router;
}
constexpr VcSelectionKind kRotating = VcSelectionKind::kRotating,
                          kMostCredits = VcSelectionKind::kMostCredits;

INSTANTIATE_TEST_SUITE_P(
    VcSelections, RandomTraffic,
    ::testing::Values(
        Shape{{{4, 4, 1}, selecting(kRotating, {4, 3, 2, 4})}, {.load = 0.8}},
        Shape{{{4, 4, 1}, selecting(kRotating, {2, 8, 1, 2, 2, {}, 4, 1})}, {.load = 0.9}},
        Shape{{{5, 4, 1}, selecting(kRotating, {4, 5, 2, 4, 2, {}, 3, 0, kMatrix, kXy, kPlh})},
              {.load = 0.8, .packet_flits = 2}},
        Shape{{{4, 4, 1}, selecting(kMostCredits, {4, 4, 3, 3})}, {.load = 0.8}},
        Shape{{{4, 4, 1}, selecting(kMostCredits, {4, 8, 2, 5, 2, {}, 4, 2, kFixed})},
              {.load = 0.9, .packet_flits = 1}},
        Shape{{{4, 3, 2}, selecting(kMostCredits, {1, 4, 3, 4, 3, kOne, 1, 0, {}, kXyz})},
              {.load = 0.6}}),
    ::testing::PrintToStringParamName());

constexpr RouterConfig with_control(RouterConfig router) {
  router.control_vc = true;
  return router;
}

// Half of the packets and more are control packets, and as long as the others.
INSTANTIATE_TEST_SUITE_P(
    ControlVcs, RandomTraffic,
    ::testing::Values(
        Shape{{{4, 4, 1}, with_control({4, 1, 1, 4})}, {.load = 0.8}},
        Shape{{{4, 4, 1}, with_control({2, 7, 7, 1})}, {.load = 1, .sink_stall = 0.5}},
        Shape{{{4, 4, 1}, with_control({4, 1, 2, 2, 2, {}, 2, 1})}, {.load = 0.7}},
        Shape{{{5, 4, 1}, with_control({4, 2, 1, 4, 2, {}, 1, 0, {}, kX})}, {.load = 0.9}},
        Shape{{{4, 5, 1}, with_control({3, 3, 2, 3, 2, {}, 3, 1, kMatrix, kXy, kPlh})},
              {.load = 0.9, .packet_flits = 5}},
        Shape{{{8, 1, 1}, with_control({2, 5, 3, 1, 1, {}, 4, 0, {}, kX, kPlh})}, {.load = 0.9}},
        Shape{{{3, 3, 3}, with_control({6, 6, 1, 2, 3, {}, 4, 1, kMatrix, kYz})}, {.load = 0.9}},
        Shape{{{4, 4, 1}, with_control({1, 1, 1, 4, 2, kOne})}, {.load = 0.5}},
        Shape{{{4, 3, 2}, with_control({1, 2, 3, 3, 3, kOne, 4, 1, {}, kXyz})}, {.load = 0.6}},
        Shape{{{3, 4, 1}, with_control({1, 3, 1, 2, 2, kOne, 1, 0, kMatrix, kX, kPlh})},
              {.load = 0.6}},
        Shape{{{4, 4, 1}, in_order_yx(with_control({4, 2, 1, 4, 2, {}, 1, 0, kFixed}))},
              {.load = 0.8}}),
    ::testing::PrintToStringParamName());

/// Two networks in one elaboration: what the test compares runs one after the other.
class LoggedRun {
 public:
  LoggedRun(const std::string& name, const NetworkConfig& config, std::uint64_t run_seed,
            bool reversed)
      : config_(config),
        fabric_((name + "_fabric").c_str()),
        network_((name + "_network").c_str(), fabric_, config),
        traffic_((name + "_traffic").c_str(), network_,
                 {.load = 0.6, .sink_stall = 0.3, .packets = 30, .seed = run_seed}) {
    fabric_.set_reversed(reversed);
  }

  std::string log() {
    std::ostringstream text;
    FlitLog log(text, config_);
    fabric_.set_observer(&log);
    EXPECT_EQ(fabric_.run_until(100000), RunStatus::kQuiet);
    log.flush();
    return text.str();
  }

 private:
  NetworkConfig config_;
  Fabric fabric_;
  Network network_;
  Traffic traffic_;
};

class Determinism : public ::testing::TestWithParam<NetworkConfig> {};

TEST_P(Determinism, TheSameSeedGivesTheSameLogInWhateverOrderRoutersAndEndpointsAreStepped) {
  const NetworkConfig& config = GetParam();
  LoggedRun forward("forward", config, 7, false), again("again", config, 7, false);
  LoggedRun reversed("reversed", config, 7, true), other_seed("other", config, 8, false);
  const std::string log = forward.log();
  EXPECT_GT(log.size(), 100000u);
  EXPECT_TRUE(again.log() == log);
  EXPECT_TRUE(reversed.log() == log);
  EXPECT_FALSE(other_seed.log() == log);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Determinism,
    ::testing::Values(NetworkConfig{{4, 4, 1}, {4, 2, 2, 4}},
                      NetworkConfig{{4, 4, 1}, {4, 3, 2, 6, 2, {}, 4, 1, kMatrix, kXy}},
                      NetworkConfig{{4, 2, 2}, {1, 2, 2, 2, 3, kOne, 2, 2}},
                      NetworkConfig{{4, 4, 1}, {4, 1, 3, 4}, true},
                      NetworkConfig{{4, 4, 1}, with_control({4, 1, 1, 4})},
                      NetworkConfig{{4, 4, 1}, with_control({4, 1, 1, 4}), true}),
    ::testing::PrintToStringParamName());

class Unobserved : public ::testing::TestWithParam<NetworkConfig> {};

// Blocked routers sleep only without an observer, and with one VC per port they forward in another
// way then.
TEST_P(Unobserved, RoutersDeliverTheSameFlitsInTheSameCycles) {
  const NetworkConfig& config = GetParam();
  const TrafficConfig load{.load = 0.9, .sink_stall = 0.6, .packets = 30, .keep_arrivals = true};
  Fabric silent("silent"), observed("observed");
  Network silent_network("silent_network", silent, config),
      observed_network("observed_network", observed, config);
  Traffic silent_traffic("silent_traffic", silent_network, load),
      observed_traffic("observed_traffic", observed_network, load);
  FabricObserver observer;
  observed.set_observer(&observer);
  ASSERT_EQ(silent.run_until(100000), RunStatus::kQuiet);
  ASSERT_EQ(observed.run_until(100000), RunStatus::kQuiet);
  EXPECT_EQ(silent.now(), observed.now());
  EXPECT_EQ(silent.flits_moved(), observed.flits_moved());
  for (NodeId n = 0; n < config.nodes(); ++n) {
    EXPECT_THAT(silent_traffic.node(n).arrivals(),
                ElementsAreArray(observed_traffic.node(n).arrivals()));
  }
  EXPECT_EQ(silent_traffic.counts().packets_ejected, 30u * config.nodes());
}

INSTANTIATE_TEST_SUITE_P(Determinism, Unobserved,
                         ::testing::Values(NetworkConfig{{4, 4, 1}, {4, 2, 2, 2}},
                                           NetworkConfig{{4, 4, 1}, {4, 1, 1, 2}},
                                           NetworkConfig{{3, 3, 2}, {6, 1, 1, 3, 3}},
                                           NetworkConfig{{4, 4, 1},
                                                         {4, 1, 1, 5, 2, {}, 4, 1, kMatrix}},
                                           NetworkConfig{{4, 4, 1}, {1, 1, 1, 2, 2, kOne}},
                                           NetworkConfig{{4, 4, 1}, {4, 1, 2, 4}, true}),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace annelid::systemc
