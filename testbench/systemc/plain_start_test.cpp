// The fabric under plain sc_start: the same network as under run_until, cycle by cycle.
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "systemc/analysis/flit_log.hpp"
#include "systemc/modules/elaboration.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/systemc/names.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid::systemc {
namespace {

using sc_core::SC_NS;
using sc_core::sc_start;
using sc_core::sc_time;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

/// What a run tells, in words.
struct Outcome {
  std::string flits;
  std::vector<std::vector<Arrival>> arrivals;
  std::uint64_t moved = 0;
  Cycle now = 0, last_move = 0;
};

/// A network with random traffic for 2000 cycles, in steps that `advance` makes.
Outcome run(const NetworkConfig& config, bool observed,
            const std::function<void(Fabric&, Cycle)>& advance) {
  const Elaboration elaboration;
  Fabric fabric("fabric");
  Network network("network", fabric, config);
  Traffic traffic("traffic", network,
                  {.load = 0.4, .sink_stall = 0.2, .packets = 20, .keep_arrivals = true});
  std::ostringstream log;
  FlitLog flit_log(log, config);
  if (observed) fabric.set_observer(&flit_log);
  for (const Cycle end : {1u, 2u, 100u, 101u, 1500u, 1900u, 2000u}) advance(fabric, end);
  Outcome outcome{log.str(), {}, fabric.flits_moved(), fabric.now(), fabric.last_move()};
  for (NodeId n = 0; n < config.nodes(); ++n) {
    outcome.arrivals.push_back(traffic.node(n).arrivals());
  }
  EXPECT_EQ(traffic.counts().packets_ejected, 20u * config.nodes());
  EXPECT_LT(outcome.last_move, 1900u) << "the last steps are of an idle network";
  return outcome;
}

void by_run_until(Fabric& fabric, Cycle end) {
  while (fabric.now() < end) fabric.run_until(end);
}

void by_sc_start(Fabric& fabric, Cycle end) {
  sc_start(fabric.cycle_time() * static_cast<double>(end) - sc_core::sc_time_stamp());
}

class PlainStart : public ::testing::TestWithParam<std::tuple<NetworkConfig, bool>> {
 protected:
  void expect_same(const std::function<void(Fabric&, Cycle)>& advance) {
    const auto& [config, observed] = GetParam();
    const Outcome expected = run(config, observed, by_run_until),
                  found = run(config, observed, advance);
    EXPECT_EQ(found.flits, expected.flits);
    EXPECT_EQ(found.flits.empty(), !observed);
    EXPECT_EQ(found.moved, expected.moved);
    EXPECT_EQ(found.now, expected.now);
    EXPECT_EQ(found.last_move, expected.last_move);
    EXPECT_THAT(found.arrivals, ElementsAreArray(expected.arrivals));
  }
};

TEST_P(PlainStart, MovesEveryFlitInTheCycleInWhichRunUntilDoes) { expect_same(by_sc_start); }

TEST_P(PlainStart, MayTakeTurnsWithRunUntil) {
  bool plain = false;
  expect_same([&](Fabric& fabric, Cycle end) {
    // run_until ends in the middle of its last cycle; the next sc_start begins there.
    if (plain) {
      by_sc_start(fabric, end);
    } else {
      by_run_until(fabric, end);
    }
    plain = !plain;
  });
}

INSTANTIATE_TEST_SUITE_P(
    Fabric, PlainStart,
    ::testing::Combine(::testing::Values(NetworkConfig{{4, 4, 1}, {4, 1, 1, 4}},
                                         NetworkConfig{{3, 3, 2}, {6, 2, 2, 6, 3, {}, 3, 1}},
                                         NetworkConfig{{4, 4, 1}, {4, 1, 2, 4}, true}),
                       ::testing::Bool()),
    [](const auto& test) {
      return ::testing::PrintToString(std::get<0>(test.param)) +
             (std::get<1>(test.param) ? "_observed" : "_unobserved");
    });

// ---- Time ---------------------------------------------------------------------------------------

/// Asks to be stepped in the cycles that its script says, and notes when it is.
class Sleeper final : public Clocked {
 public:
  explicit Sleeper(std::function<Cycle(Cycle)> next) : next_(std::move(next)) {}
  Cycle step(Cycle now) override {
    cycles.push_back(now);
    times.push_back(sc_core::sc_time_stamp());
    return next_(now);
  }
  std::vector<Cycle> cycles;
  std::vector<sc_time> times;

 private:
  std::function<Cycle(Cycle)> next_;
};

TEST(PlainStartTime, ACycleIsAPeriodAndIsSteppedInItsMiddle) {
  Fabric fabric("fabric", sc_time(4, SC_NS));
  Sleeper sleeper([](Cycle now) { return now + 3; });
  fabric.add(sleeper);
  sc_start(40, SC_NS);
  EXPECT_THAT(sleeper.cycles, ElementsAre(0, 3, 6, 9));
  EXPECT_THAT(sleeper.times, ElementsAre(sc_time(2, SC_NS), sc_time(14, SC_NS), sc_time(26, SC_NS),
                                         sc_time(38, SC_NS)));
  EXPECT_EQ(fabric.now(), 10u);
}

TEST(PlainStartTime, AnIdleNetworkHasNoEventsAndItsCycleIsThatOfTheTime) {
  Fabric fabric("fabric");
  Network network("network", fabric, {{8, 8, 1}, {}});
  Traffic traffic("traffic", network, {.load = 0});
  sc_start(10, SC_NS);
  EXPECT_FALSE(sc_core::sc_pending_activity());
  sc_start(1000, SC_NS);
  EXPECT_EQ(fabric.now(), 1010u);
  traffic.node(0).send({3, 0, 0}, 1, 5);  // between runs: from cycle 1010 on
  sc_start(1000, SC_NS);
  EXPECT_EQ(traffic.counts().flits_ejected, 5u);
  EXPECT_GE(fabric.last_move(), 1011u);
  EXPECT_LT(fabric.last_move(), 1030u);
}

TEST(PlainStartTime, RunUntilMovesTimeToItsLimitEvenIfNothingHappensBeforeIt) {
  Fabric fabric("fabric");
  Sleeper sleeper([](Cycle now) { return now + 1000; });
  fabric.add(sleeper);
  EXPECT_EQ(fabric.run_until(50), RunStatus::kCycleLimit);
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(49.5, SC_NS));
  sc_start(950.5, SC_NS);
  EXPECT_THAT(sleeper.cycles, ElementsAre(0));
  EXPECT_EQ(fabric.now(), 1000u);
  sc_start(1, SC_NS);
  EXPECT_THAT(sleeper.cycles, ElementsAre(0, 1000));
}

TEST(PlainStartTime, StopEndsScStartAfterTheCycle) {
  Fabric fabric("fabric");
  Sleeper sleeper([&](Cycle now) {
    if (now == 20) fabric.stop();
    return now + 1;
  });
  fabric.add(sleeper);
  sc_start(100, SC_NS);
  EXPECT_EQ(fabric.now(), 21u);
  sc_start(10,
           SC_NS);  // from the middle of cycle 20 to that of cycle 30, which is for the next call
  EXPECT_EQ(sleeper.cycles.size(), 30u);
}

TEST(PlainStartTime, AnotherFabricStandsStillDuringRunUntilAndItsCyclesComeLater) {
  Fabric one("one"), other("other");
  Sleeper sleeper([](Cycle now) { return now + 10; });
  other.add(sleeper);
  EXPECT_EQ(one.run_until(100, [] { return false; }), RunStatus::kQuiet);
  sc_start(95, SC_NS);
  EXPECT_EQ(sleeper.cycles.back(), 90u);
  EXPECT_EQ(one.run_until(1000), RunStatus::kQuiet);
  EXPECT_EQ(one.run_until(10000), RunStatus::kQuiet);
  EXPECT_EQ(sleeper.cycles.back(), 90u);
  sc_start(10, SC_NS);
  EXPECT_EQ(sleeper.cycles.back(), 100u);
}

TEST(PlainStartTime, EachCycleOfAnotherFabricIsLaterByTheLengthOfARun) {
  Fabric one("one"), other("other");
  Sleeper worker([](Cycle now) { return now + 1; }), sleeper([](Cycle now) { return now + 2; });
  one.add(worker);
  other.add(sleeper);
  sc_start(3, SC_NS);
  EXPECT_EQ(one.run_until(13), RunStatus::kCycleLimit);  // from 3.5 to 12.5 ns
  EXPECT_EQ(other.now(), 3u);
  EXPECT_EQ(sleeper.cycles.back(), 2u);
  EXPECT_EQ(one.run_until(14), RunStatus::kCycleLimit);
  sc_start(4, SC_NS);
  EXPECT_THAT(sleeper.times, ElementsAre(sc_time(0.5, SC_NS), sc_time(2.5, SC_NS),
                                         sc_time(14.5, SC_NS), sc_time(16.5, SC_NS)));
}

TEST(PlainStartTime, AnotherFabricGoesOnWithTheCycleAfterARun) {
  Fabric one("one"), other("other");
  Cycle latest = 0;
  Sleeper worker([&](Cycle now) {
    latest = std::max(latest, other.now());
    return now + 1;
  });
  Sleeper sleeper([](Cycle now) { return now + 2; });
  one.add(worker);
  other.add(sleeper);
  sc_start(3, SC_NS);
  EXPECT_EQ(one.run_until(13), RunStatus::kCycleLimit);  // from 3.5 to 12.5 ns
  EXPECT_EQ(latest, 4u);
  sc_start(2, SC_NS);
  EXPECT_THAT(sleeper.times,
              ElementsAre(sc_time(0.5, SC_NS), sc_time(2.5, SC_NS), sc_time(13.5, SC_NS)));
}

TEST(PlainStartTime, TellsADeadlock) {
  Fabric fabric("fabric");
  Network network("network", fabric, {{2, 1, 1}, {}});
  Traffic traffic("traffic", network, {.load = 0, .sink_stall = 1.0});
  traffic.node(0).send({1, 0, 0}, 1, 20);
  fabric.set_stall_limit(200);
  sc_start(200, SC_NS);
  EXPECT_FALSE(fabric.deadlocked());
  sc_start(200, SC_NS);
  EXPECT_TRUE(fabric.deadlocked());
}

TEST(PlainStartTime, ACycleTimeHasAMiddle) {
  EXPECT_THROW(Fabric("fabric", sc_time(1, sc_core::SC_PS)), ConfigError);
}

}  // namespace
}  // namespace annelid::systemc
