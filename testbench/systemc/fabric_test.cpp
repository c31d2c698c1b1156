// The fabric's clock: the ways a run ends, sleeping components, skipped time.
#include "systemc/fabric/fabric.hpp"

#include <gmock/gmock.h>

#include "systemc/fabric/timing_wheel.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid::systemc {
namespace {

using ::testing::ElementsAre;

/// Notes the cycles in which it is stepped, and asks for what its script says.
class Sleeper final : public Clocked {
 public:
  explicit Sleeper(std::function<Cycle(Cycle)> next) : next_(std::move(next)) {}
  Cycle step(Cycle now) override {
    cycles.push_back(now);
    times.push_back(sc_core::sc_time_stamp().to_seconds() * 1e9);
    return next_(now);
  }
  std::vector<Cycle> cycles;
  std::vector<double> times;  // in ns

 private:
  std::function<Cycle(Cycle)> next_;
};

TEST(Fabric, StepsAComponentInCycle0AndThenWhenItAsked) {
  Fabric fabric("fabric");
  Sleeper sleeper([](Cycle now) {
    return now == 0 ? 1 : now == 1 ? 7 : now == 7 ? 300 : now == 300 ? 100000 : kNever;
  });
  fabric.add(sleeper);
  EXPECT_EQ(fabric.run_until(1000000), RunStatus::kQuiet);
  EXPECT_THAT(sleeper.cycles, ElementsAre(0, 1, 7, 300, 100000));
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_DOUBLE_EQ(sleeper.times[i], static_cast<double>(sleeper.cycles[i]) + 0.5);  // its middle
  }
  EXPECT_EQ(fabric.now(), 100001u);
}

TEST(Fabric, AWakeComesInAdditionAndMovesTheComponentsOwnPlan) {
  Fabric fabric("fabric");
  Sleeper sleeper([](Cycle now) { return now == 0 ? 50 : now == 10 ? 60 : kNever; });
  const int handle = fabric.add(sleeper);
  int other = 0;
  Sleeper waker([&](Cycle now) {
    if (now == 5) {
      fabric.wake(handle, 10);
      fabric.wake(handle, 10);
      EXPECT_THROW(fabric.wake(handle, 5), std::logic_error);
    }
    return now == 0 ? 5 : kNever;
  });
  other = fabric.add(waker);
  fabric.wake(other, 0);
  EXPECT_EQ(fabric.run_until(1000), RunStatus::kQuiet);
  EXPECT_THAT(sleeper.cycles, ElementsAre(0, 10, 60));  // once in 10, and not in 50
  EXPECT_THAT(waker.cycles, ElementsAre(0, 5));
}

TEST(Fabric, StopsAtTheCycleLimitAndGoesOnFromThere) {
  Fabric fabric("fabric");
  Sleeper sleeper([](Cycle now) { return now + 10; });
  fabric.add(sleeper);
  EXPECT_EQ(fabric.run_until(15), RunStatus::kCycleLimit);
  EXPECT_EQ(fabric.now(), 15u);
  EXPECT_EQ(fabric.run_until(15), RunStatus::kCycleLimit);
  EXPECT_EQ(fabric.run_until(21), RunStatus::kCycleLimit);
  EXPECT_THAT(sleeper.cycles, ElementsAre(0, 10, 20));
  EXPECT_DOUBLE_EQ(sleeper.times.back(), 20.5);
}

TEST(Fabric, EndsAfterTheCycleInWhichTheConditionHoldsOrStopWasCalled) {
  Fabric fabric("fabric");
  Sleeper sleeper([&](Cycle now) {
    if (now == 20) fabric.stop();
    return now + 1;
  });
  fabric.add(sleeper);
  EXPECT_EQ(fabric.run_until(1000, [&] { return sleeper.cycles.size() == 6; }), RunStatus::kDone);
  EXPECT_EQ(fabric.now(), 6u);
  EXPECT_EQ(fabric.run_until(1000), RunStatus::kDone);
  EXPECT_EQ(fabric.now(), 21u);
  EXPECT_EQ(fabric.run_until(30), RunStatus::kCycleLimit);
}

TEST(Fabric, TimeStandsStillDuringARunIfTheCallerAllowsIt) {
  Fabric fabric("fabric");
  Sleeper sleeper([](Cycle now) { return now + 1; });
  fabric.add(sleeper);
  const auto done = [&] { return sleeper.cycles.size() == 6; };
  EXPECT_EQ(fabric.run_until(1000, done, SystemcTime::kStandsStill), RunStatus::kDone);
  EXPECT_THAT(sleeper.times, ElementsAre(0.5, 0.5, 0.5, 0.5, 0.5, 0.5));
  EXPECT_EQ(fabric.now(), 6u);
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::sc_time(5.5, sc_core::SC_NS));
  fabric.run_until(8, {}, SystemcTime::kStandsStill);
  EXPECT_EQ(fabric.run_until(9), RunStatus::kCycleLimit);
  EXPECT_THAT(sleeper.cycles, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_DOUBLE_EQ(sleeper.times.back(), 8.5);
}

TEST(Fabric, CarriesAnExceptionOfAComponentToTheCaller) {
  Fabric fabric("fabric");
  Sleeper sleeper([](Cycle) -> Cycle { throw std::runtime_error("the cause"); });
  fabric.add(sleeper);
  try {
    fabric.run_until(10);
    FAIL() << "no exception";
  } catch (const sc_core::sc_report& report) {
    EXPECT_THAT(report.what(), ::testing::HasSubstr("the cause"));
  }
}

TEST(Fabric, CountsFlitsInFlightAndReportsADeadlockWhenNothingDrains) {
  Fabric fabric("fabric");
  Network network("network", fabric, {{2, 1, 1}, {}});
  Traffic traffic("traffic", network, {.load = 0, .sink_stall = 1.0});
  ASSERT_EQ(fabric.run_until(1000), RunStatus::kQuiet);
  traffic.node(0).send({1, 0, 0}, 1, 20);
  fabric.set_stall_limit(200);
  EXPECT_EQ(fabric.run_until(100000), RunStatus::kDeadlock);
  // The sink's buffer holds 4 flits that left the fabric, the two routers' FIFOs 4 each.
  EXPECT_EQ(traffic.counts().flits_ejected, 4u);
  EXPECT_EQ(fabric.flits_in_flight(), 8u);
  EXPECT_EQ(fabric.now(), fabric.last_move() + 200 + 1);
}

TEST(Fabric, WaitsForAComponentThatHasALaterCycleInMindBeforeItSpeaksOfADeadlock) {
  Fabric fabric("fabric");
  Network network("network", fabric, {{2, 1, 1}, {}});
  Traffic traffic("traffic", network, {.load = 0, .sink_stall = 1.0});
  Sleeper alarm([](Cycle now) { return now == 0 ? 5000 : kNever; });
  fabric.add(alarm);
  traffic.node(0).send({1, 0, 0}, 1, 20);
  FabricObserver observer;
  fabric.set_observer(&observer);
  EXPECT_EQ(fabric.run_until(100000), RunStatus::kDeadlock);
  EXPECT_EQ(fabric.now(), 5000u + fabric.stall_limit() + 1);
}

TEST(Fabric, WaitsWhileAComponentSaysThatItsWorkProgresses) {
  Fabric fabric("fabric");
  Network network("network", fabric, {{2, 1, 1}, {}});
  Traffic traffic("traffic", network, {.load = 0, .sink_stall = 1.0});
  Sleeper worker([&fabric](Cycle now) {
    if (now < 5000) fabric.progressed();
    return now + 1;
  });
  fabric.add(worker);
  traffic.node(0).send({1, 0, 0}, 1, 20);
  EXPECT_EQ(fabric.run_until(100000), RunStatus::kDeadlock);
  EXPECT_EQ(fabric.now(), 4999u + fabric.stall_limit() + 1);
}

TEST(Fabric, AnObserverThatComesLateSeesTheBlockedFlitsOfRoutersThatSlept) {
  Fabric fabric("fabric");
  Network network("network", fabric, {{2, 1, 1}, {}});
  Traffic traffic("traffic", network, {.load = 0, .sink_stall = 1.0});
  traffic.node(0).send({1, 0, 0}, 1, 20);
  ASSERT_EQ(fabric.run_until(100), RunStatus::kCycleLimit);
  struct Counter final : FabricObserver {
    void blocked(Cycle, NodeId, Port, Vc, Port, BlockCause) override { ++count; }
    int count = 0;
  } counter;
  fabric.set_observer(&counter);
  ASSERT_EQ(fabric.run_until(150), RunStatus::kCycleLimit);
  EXPECT_EQ(counter.count, 50 * 2);  // one front flit in each router
}

/// Sends a flit in every cycle, with or without credit.
class Flood final : public sc_core::sc_module, public Clocked, public LinkIf {
 public:
  explicit Flood(const sc_core::sc_module_name& name) : sc_module(name) { end.bind(*this); }
  Cycle step(Cycle now) override {
    port->put_flit({.data = pack(HeadFields{{1, 0, 0}, {}, 0}), .head = now == 0});
    ++sent;
    return now + 1;
  }
  void put_flit(const Flit&) override {}
  void put_credit(Vc) override {}

  sc_core::sc_port<LinkIf> port{"port"};
  sc_core::sc_export<LinkIf> end{"end"};
  int sent = 0;
};

TEST(Fabric, ANeighbourThatOverfillsABufferIsStopped) {
  Fabric fabric("fabric");
  Network network("network", fabric, {{2, 1, 1}, {.depth = 2}});
  Flood flood("flood"), deaf("deaf");
  network.attach(0, 0, flood.port, flood.end);
  network.attach(1, 1, deaf.port, deaf.end);  // arrives by -x, input 1
  fabric.add(flood);
  EXPECT_THROW(fabric.run_until(100), sc_core::sc_report);
  EXPECT_EQ(flood.sent, 2 + 2 + 2);  // room in both routers, and two credits of the last channel
}

TEST(Fabric, RefusesANetlistWithALinkInOneDirectionOnly) {
  Fabric fabric("fabric");
  Router a("a", {fabric, {}, {0, 0, 0}, 0}), b("b", {fabric, {}, {1, 0, 0}, 1});
  a.to_neighbour[kPlusX].bind(b.from_neighbour[kMinusX]);
  EXPECT_THROW(fabric.run_until(1), sc_core::sc_report);
}

TEST(Fabric, RefusesNeighboursOfUnequalDepth) {
  Fabric fabric("fabric");
  Router a("a", {fabric, {.router = {.depth = 4}}, {0, 0, 0}, 0});
  Router b("b", {fabric, {.router = {.depth = 5}}, {1, 0, 0}, 1});
  a.to_neighbour[kPlusX].bind(b.from_neighbour[kMinusX]);
  b.to_neighbour[kMinusX].bind(a.from_neighbour[kPlusX]);
  EXPECT_THROW(fabric.run_until(1), sc_core::sc_report);
}

TEST(TimingWheel, GivesEveryEntryInItsCycleAndInOrderOfEntry) {
  TimingWheel wheel;
  wheel.add(1, 300);
  wheel.add(2, 3);
  wheel.add(3, 300);
  wheel.add(4, 100000);
  std::vector<TimingWheel::Entry> due;
  wheel.take(0, due);
  EXPECT_TRUE(due.empty());
  EXPECT_EQ(wheel.next(1), 3u);
  wheel.take(3, due);
  EXPECT_THAT(due, ElementsAre(2));
  EXPECT_EQ(wheel.next(4), 300u);
  wheel.take(250, due);
  wheel.add(5, 300);
  wheel.take(300, due);
  EXPECT_THAT(due, ElementsAre(1, 3, 5));
  EXPECT_EQ(wheel.next(301), 100000u);
  wheel.take(100000, due);
  EXPECT_THAT(due, ElementsAre(4));
  EXPECT_EQ(wheel.next(100001), kNever);
}

TEST(TimingWheel, FindsTheNextEntryAtEveryDistanceAndOffset) {
  for (Cycle start : {0, 1, 63, 64, 200, 255, 256, 1000}) {
    for (Cycle distance = 1; distance < 600; ++distance) {
      TimingWheel wheel;
      std::vector<TimingWheel::Entry> due;
      wheel.take(start, due);
      wheel.add(1, start + distance);
      ASSERT_EQ(wheel.next(start + 1), start + distance) << start;
      if (distance >= TimingWheel::kSpan) continue;
      ASSERT_EQ(wheel.next(start + distance + 1), kNever) << start << ' ' << distance;
      wheel.add(2, start + 300);
      ASSERT_EQ(wheel.next(start + distance + 1), start + 300) << start << ' ' << distance;
    }
  }
}

}  // namespace
}  // namespace annelid::systemc
