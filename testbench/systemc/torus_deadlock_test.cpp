// Tori that deadlock in simulation because they have too few virtual channels, what the run says
// about it, and the same traffic with enough of them.
#include <gmock/gmock.h>

#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "systemc/analysis/deadlock.hpp"
#include "systemc/analysis/packet_tracker.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/systemc/dependency_cycle.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid::systemc {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

/// A torus in all its dimensions, of one VC unless that is changed.
NetworkConfig torus(int dims, std::array<int, kMaxDims> size) {
  NetworkConfig config{size, {.local_ports = 1, .dims = dims}};
  for (int d = 0; d < dims; ++d) config.router.torus[d] = true;
  config.router.allow_deadlock = true;
  return config;
}
NetworkConfig with_classes(NetworkConfig config, TorusClasses classes) {
  config.router.allow_deadlock = false;
  config.router.classes = classes;
  config.router.vcs = classes == TorusClasses::kPlh ? 3 : 2;
  return config;
}

/// One run; a process has one only.
class Simulation {
 public:
  explicit Simulation(const NetworkConfig& config, const TrafficConfig& random = {.load = 0})
      : config_(config),
        fabric_("fabric"),
        network_("network", fabric_, config),
        traffic_("traffic", network_, random),
        tracker_(config) {
    fabric_.set_observer(&tracker_);
  }

  /// Every node sends a packet two hops up dimension d, all in the same cycle.
  RunStatus all_send_two_up(int d, int flits) {
    EXPECT_EQ(fabric_.run_until(10), RunStatus::kQuiet);
    for (NodeId n = 0; n < config_.nodes(); ++n) {
      Address to = config_.address(n);
      to[d] = static_cast<std::uint8_t>((to[d] + 2) % config_.size_of(d));
      traffic_.node(n).send(to, static_cast<std::uint16_t>(n), flits);
    }
    return finish();
  }
  RunStatus finish() {
    const RunStatus status = fabric_.run_until(1'000'000);
    tracker_.flush();
    return status;
  }
  RunStatus advance(Cycle cycles) {
    const RunStatus status = fabric_.run_until(fabric_.now() + cycles);
    tracker_.flush();
    return status;
  }
  [[nodiscard]] std::vector<RouterState> states() { return network_.states(); }
  [[nodiscard]] std::uint64_t in_flight() const { return fabric_.flits_in_flight(); }
  [[nodiscard]] std::uint64_t ejected() const { return traffic_.counts().packets_ejected; }
  [[nodiscard]] StallReport explain() {
    return explain_stall(config_, network_.states(),
                         [this](const ChannelEnd& end) -> std::optional<HeadFields> {
                           const auto id = tracker_.front(end.node, end.in, end.vc);
                           if (!id) return std::nullopt;
                           return tracker_.packets()[*id].info.head;
                         });
  }
  /// A deadlock is explained by a cycle that is one of the dependency graph, with all its packets.
  StallReport expect_explained() {
    StallReport report = explain();
    EXPECT_TRUE(report.cycle);
    expect_dependency_cycle(config_, report.channels);
    EXPECT_THAT(report.text, Not(HasSubstr("a packet"))) << "one without its name";
    for (std::size_t i = 0; i < report.waits.size(); ++i) {
      EXPECT_EQ(report.waits[i].on, report.waits[(i + 1) % report.waits.size()].waiting);
    }
    return report;
  }

 private:
  NetworkConfig config_;
  Fabric fabric_;
  Network network_;
  Traffic traffic_;
  PacketTracker tracker_;
};

TEST(TorusDeadlock, FourPacketsAroundARingWaitForEachOther) {
  Simulation run(torus(1, {4, 1, 1}));
  EXPECT_EQ(run.all_send_two_up(0, 40), RunStatus::kDeadlock);
  EXPECT_EQ(run.ejected(), 0u);
  const StallReport report = run.expect_explained();
  EXPECT_THAT(report.channels, SizeIs(4));
  EXPECT_THAT(report.text, HasSubstr("  0,0 +x vc0: packet 0,0 -> 2,0 tag 0 waits for 1,0 +x vc0 "
                                     "held by packet 1,0 -> 3,0 tag 1\n"));
  EXPECT_THAT(report.text, HasSubstr("  1,0 inj0 vc0: packet 1,0 -> 3,0 tag 1 waits for room "
                                     "behind 1,0 +x vc0, full with its own flits\n"));
}

TEST(TorusDeadlock, DatelineClassesLetThemPass) {
  Simulation run(with_classes(torus(1, {4, 1, 1}), TorusClasses::kDateline));
  EXPECT_EQ(run.all_send_two_up(0, 40), RunStatus::kQuiet);
  EXPECT_EQ(run.ejected(), 4u);
}

TEST(TorusDeadlock, PlhClassesLetThemPass) {
  Simulation run(with_classes(torus(1, {4, 1, 1}), TorusClasses::kPlh));
  EXPECT_EQ(run.all_send_two_up(0, 40), RunStatus::kQuiet);
  EXPECT_EQ(run.ejected(), 4u);
}

TEST(TorusDeadlock, IsExplainedInTheSecondDimensionBehindPipelinesAndLinkRegisters) {
  NetworkConfig config = torus(2, {3, 5, 1});
  config.router.stages = 4;
  config.router.link_registers = 2;
  config.router.depth = config.router.default_depth();
  Simulation run(config);
  EXPECT_EQ(run.all_send_two_up(1, 60), RunStatus::kDeadlock);
  EXPECT_EQ(run.ejected(), 0u);
  const StallReport report = run.expect_explained();
  EXPECT_THAT(report.channels, SizeIs(5));
  EXPECT_THAT(report.text, HasSubstr("+y"));
}

TEST(TorusDeadlock, IsExplainedInOnePortRoutersOfThreeStages) {
  NetworkConfig config = torus(2, {2, 6, 1});
  config.router.kind = RouterKind::kOnePort;
  config.router.stages = 3;
  Simulation run(config);
  EXPECT_EQ(run.all_send_two_up(1, 60), RunStatus::kDeadlock);
  const StallReport report = run.expect_explained();
  EXPECT_THAT(report.channels, SizeIs(6));
  EXPECT_THAT(report.text, HasSubstr("x>y vc0"));
}

/// Much more than a torus of 4x4x2 can take.
constexpr TrafficConfig kOverload{.load = 0.9, .packet_flits = 24, .packets = 100, .seed = 5};

TEST(TorusDeadlock, RandomTrafficFindsACycleToo) {
  Simulation run(torus(3, {4, 4, 2}), kOverload);
  EXPECT_EQ(run.finish(), RunStatus::kDeadlock);
  EXPECT_LT(run.ejected(), 3200u);
  run.expect_explained();
}

TEST(TorusDeadlock, DatelineClassesTakeAllRandomTraffic) {
  Simulation run(with_classes(torus(3, {4, 4, 2}), TorusClasses::kDateline), kOverload);
  EXPECT_EQ(run.finish(), RunStatus::kQuiet);
  EXPECT_EQ(run.ejected(), 3200u);
}

TEST(TorusDeadlock, PlhClassesTakeAllRandomTraffic) {
  Simulation run(with_classes(torus(3, {4, 4, 2}), TorusClasses::kPlh), kOverload);
  EXPECT_EQ(run.finish(), RunStatus::kQuiet);
  EXPECT_EQ(run.ejected(), 3200u);
}

TEST(TorusDeadlock, RingsOfThreeNeedNoClasses) {
  const NetworkConfig config = torus(2, {3, 3, 1});
  ASSERT_FALSE(find_cycle(config));
  Simulation run(config, kOverload);
  EXPECT_EQ(run.finish(), RunStatus::kQuiet);
  EXPECT_EQ(run.ejected(), 900u);
}

/// Kind, stages, link registers.
class EveryKindOfTorus : public ::testing::TestWithParam<std::tuple<RouterKind, int, int>> {
 protected:
  static NetworkConfig config() {
    NetworkConfig config = torus(2, {8, 6, 1});
    std::tie(config.router.kind, config.router.stages, config.router.link_registers) = GetParam();
    return config;
  }
};
using Kind = EveryKindOfTorus::ParamType;
std::string name_of(const ::testing::TestParamInfo<Kind>& kind) {
  return std::string(std::get<0>(kind.param) == RouterKind::kOnePort ? "OnePort" : "AllPort") +
         std::to_string(std::get<1>(kind.param)) + "Stages" +
         std::to_string(std::get<2>(kind.param)) + "LinkRegisters";
}
INSTANTIATE_TEST_SUITE_P(TorusDeadlock, EveryKindOfTorus,
                         ::testing::Combine(::testing::Values(RouterKind::kAllPort,
                                                              RouterKind::kOnePort),
                                            ::testing::Values(1, 2, 3, 4), ::testing::Values(0, 2)),
                         name_of);

/// Packets that reach back over several rings' worth of buffers.
constexpr TrafficConfig kLongPackets{.load = 0.9, .packet_flits = 80, .packets = 60, .seed = 5};

TEST_P(EveryKindOfTorus, IsExplainedWhenItDeadlocks) {
  Simulation run(config(), kLongPackets);
  EXPECT_EQ(run.finish(), RunStatus::kDeadlock);
  run.expect_explained();
}

// The first cycle of waits is seen while other packets still move. What is in it never moves again.
TEST_P(EveryKindOfTorus, IsKnownToDeadlockBeforeAllOfItStands) {
  Simulation run(config(), kLongPackets);
  std::vector<Wait> waits;
  std::vector<RouterState> before;
  RunStatus status = RunStatus::kCycleLimit;
  Cycle seen = 0, now = 0;
  for (; status == RunStatus::kCycleLimit; now += 3) {
    status = run.advance(3);
    if (!waits.empty()) continue;
    const StallReport report = run.explain();
    if (!report.cycle) continue;
    waits = report.waits;
    before = run.states();
    seen = now;
  }
  EXPECT_EQ(status, RunStatus::kDeadlock);
  ASSERT_FALSE(waits.empty());
  EXPECT_LT(seen, now);
  const std::vector<RouterState> after = run.states();
  for (const Wait& wait : waits) {
    const auto& [node, in, vc] = wait.waiting;
    EXPECT_EQ(before[node].input[in][vc].front, after[node].input[in][vc].front);
    EXPECT_EQ(before[node].input[in][vc].active, after[node].input[in][vc].active);
  }
}

TEST_P(EveryKindOfTorus, IsNeverTakenForDeadlockedWhileItMoves) {
  Simulation run(with_classes(config(), TorusClasses::kDateline), kLongPackets);
  int looks = 0, in_flight = 0;
  while (run.advance(47) == RunStatus::kCycleLimit) {
    EXPECT_FALSE(run.explain().cycle) << run.explain().text;
    ++looks;
    in_flight += run.in_flight() > 100 ? 1 : 0;
  }
  EXPECT_GT(looks, 200);
  EXPECT_GT(in_flight, 100) << "looks at a full network";
  EXPECT_EQ(run.ejected(), 48u * 60u);
}

}  // namespace
}  // namespace annelid::systemc
