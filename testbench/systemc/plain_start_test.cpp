// The fabric under plain sc_start: the same network as under run_until, cycle by cycle, with
// clocked modules of the user's own at its local ports.
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "systemc/analysis/flit_log.hpp"
#include "systemc/router/elaboration.hpp"
#include "systemc/router/local_port.hpp"
#include "systemc/router/network.hpp"
#include "testbench/systemc/names.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid::systemc {
namespace {

using sc_core::sc_clock;
using sc_core::SC_NS;
using sc_core::sc_start;
using sc_core::sc_time;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

// ---- Equal to run_until -------------------------------------------------------------------------

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

// ---- Modules of the user's own
// --------------------------------------------------------------------

/// Sends its flits one after the other from edge `first` on, and notes at which edge each went, and
/// at which edge it saw a flit.
class Module : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Module);
  Module(const sc_core::sc_module_name& name, Cycle first, std::vector<Flit> flits)
      : sc_module(name), first_(first), flits_(std::move(flits)) {
    SC_CTHREAD(run, clock.pos());
  }
  sc_core::sc_in_clk clock;
  sc_core::sc_port<LocalPortIf> network;
  std::vector<Cycle> sent, seen;
  std::vector<Flit> received;
  Cycle drains_from = 0;

 private:
  void run() {
    for (Cycle edge = 0;; ++edge) {
      EXPECT_EQ(network->cycle(), edge);
      if (edge >= drains_from && network->front() != nullptr) {
        received.push_back(network->receive());
        seen.push_back(edge);
        EXPECT_EQ(network->front(), nullptr) << "one in a cycle";
      }
      if (edge >= first_ && sent.size() < flits_.size() && network->can_send()) {
        network->send(flits_[sent.size()]);
        sent.push_back(edge);
        EXPECT_FALSE(network->can_send()) << "one in a cycle";
      }
      wait();
    }
  }
  Cycle first_;
  std::vector<Flit> flits_;
};

std::vector<Flit> packet(Address from, Address to, std::uint64_t flits) {
  std::vector<Flit> result{{pack(HeadFields{to, from, 7}), 0, true, flits == 1}};
  while (result.size() < flits) {
    result.push_back({result.size(), 0, false, result.size() + 1 == flits});
  }
  return result;
}

/// When flits are on local channels.
struct LocalChannels final : FabricObserver {
  void injected(Cycle cycle, NodeId node, Port, const Flit&) override {
    in.emplace_back(cycle);
    EXPECT_EQ(node, 0u);
  }
  void packet(Cycle, NodeId, Port, const PacketInfo& info) override {
    EXPECT_EQ(info.head.tag, 7u);
    ++packets;
  }
  void moved(Cycle cycle, NodeId node, Port, Vc, Port out, const Flit&) override {
    if (node == 1 && out == 4) ejected.push_back(cycle);
  }
  std::vector<Cycle> in, ejected;
  int packets = 0;
};

/// Two nodes, one local port each, and a module at either.
struct Pair {
  explicit Pair(int depth = 4, std::uint64_t flits = 6)
      : network("network", fabric, {{2, 1, 1}, {.local_ports = 1, .depth = depth}}),
        left_port("left_port", network, 0),
        right_port("right_port", network, 1),
        clock("clock", fabric.cycle_time()),
        left("left", 5, packet({0, 0, 0}, {1, 0, 0}, flits)),
        right("right", 0, {}) {
    left.clock(clock);
    right.clock(clock);
    left.network(left_port);
    right.network(right_port);
    fabric.set_observer(&channels);
  }
  LocalChannels channels;
  Fabric fabric{"fabric"};
  Network network;
  LocalPort left_port, right_port;
  sc_clock clock;
  Module left, right;
};

TEST(LocalPort, AFlitOfEdgeTIsOnTheChannelInCycleTAndOneEjectedInTIsSeenAtTheNextEdge) {
  Pair pair;
  sc_start(100, SC_NS);
  EXPECT_THAT(pair.left.sent, ElementsAre(5, 6, 7, 8, 9, 10));
  EXPECT_THAT(pair.channels.in, ElementsAre(5, 6, 7, 8, 9, 10));
  EXPECT_EQ(pair.channels.packets, 1);
  // Router 0 sends in 6, router 1 in 7 (docs/internals/microarchitecture.md: a hop a cycle), the
  // module sees it in 8.
  EXPECT_THAT(pair.channels.ejected, ElementsAre(7, 8, 9, 10, 11, 12));
  EXPECT_THAT(pair.right.seen, ElementsAre(8, 9, 10, 11, 12, 13));
  EXPECT_THAT(pair.right.received, ElementsAreArray(packet({0, 0, 0}, {1, 0, 0}, 6)));
}

TEST(LocalPort, WorksAlikeUnderRunUntilWhichSkipsNoCycleOfTheUsersClock) {
  Pair pair;
  EXPECT_EQ(pair.fabric.run_until(100, [&] { return pair.right.received.size() == 6; }),
            RunStatus::kDone);
  EXPECT_EQ(pair.fabric.now(), 14u) << "the last one was received at edge 13, in cycle 13";
  EXPECT_THAT(pair.left.sent, ElementsAre(5, 6, 7, 8, 9, 10));
  EXPECT_THAT(pair.right.seen, ElementsAre(8, 9, 10, 11, 12, 13));
}

TEST(LocalPort, ACreditOfAFlitTakenAtEdgeTFreesAPlaceAsThatOfASinkDoes) {
  // With one place everywhere a flit follows the one before after a credit loop of 2 cycles.
  Pair pair(1, 4);
  sc_start(100, SC_NS);
  EXPECT_THAT(pair.left.sent, ElementsAre(5, 7, 9, 11));
  EXPECT_THAT(pair.right.seen, ElementsAre(8, 10, 12, 14));
}

TEST(LocalPort, FlitsThatNobodyTakesStayInItsBufferAndBlockTheNetwork) {
  Pair pair(2, 20);
  pair.right.drains_from = 200;
  pair.fabric.set_stall_limit(50);
  sc_start(190, SC_NS);
  EXPECT_EQ(pair.left.sent.size(), 6u) << "two places each: of two routers, and of the port";
  EXPECT_EQ(pair.fabric.flits_in_flight(), 4u);
  EXPECT_TRUE(pair.fabric.deadlocked());
  sc_start(100, SC_NS);
  EXPECT_EQ(pair.right.received.size(), 20u);
}

/// Sleeps until something comes.
class Listener : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Listener);
  explicit Listener(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }
  sc_core::sc_port<LocalPortIf> network;
  std::vector<sc_time> times;

 private:
  void run() {
    for (;;) {
      wait(network->changed());
      if (network->front() == nullptr) continue;
      network->receive();
      times.push_back(sc_core::sc_time_stamp());
    }
  }
};

TEST(LocalPort, WakesAProcessAtTheEdgeAtWhichAFlitCanBeTaken) {
  Fabric fabric("fabric", sc_time(2, SC_NS));
  Network network("network", fabric, {{2, 1, 1}, {.local_ports = 1}});
  LocalPort left("left_port", network, 0), right("right_port", network, 1);
  Listener listener("listener");
  listener.network(right);
  sc_start(20, SC_NS);  // edge 10
  left.send({pack(HeadFields{{1, 0, 0}, {0, 0, 0}, 7}), 0, true, true});
  sc_start(100, SC_NS);
  EXPECT_THAT(listener.times, ElementsAre(sc_time(26, SC_NS)));
  EXPECT_FALSE(sc_core::sc_pending_activity());
}

/// Calls a port at a time of its own. It is a method, not a thread: after a thread has ended,
/// LeakSanitizer sometimes takes its stack, with the guard page, for the stack of the program.
class Caller : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Caller);
  Caller(const sc_core::sc_module_name& name, sc_time at, std::function<void()> call)
      : sc_module(name), call_(std::move(call)) {
    SC_METHOD(run);
    dont_initialize();
    sensitive << due_;
    due_.notify(at);
  }

 private:
  void run() { call_(); }
  sc_core::sc_event due_;
  std::function<void()> call_;
};

/// What sc_start says about a call at `at`.
std::string error_of(sc_time at, const std::function<void(LocalPort&, Network&)>& call) {
  const Elaboration elaboration;
  Fabric fabric("fabric");
  Network network("network", fabric, {{2, 1, 1}, {.local_ports = 1}});
  LocalPort left("left", network, 0), right("right", network, 1);
  Caller caller("caller", at, [&] { call(left, network); });
  try {
    sc_start(20, SC_NS);
  } catch (const sc_core::sc_report& report) {
    return report.what();
  }
  return "";
}

const Flit kHead{pack(HeadFields{{1, 0, 0}, {0, 0, 0}, 0}), 0, true, true};

TEST(LocalPort, RefusesCallsThatWouldDependOnTheOrderOfProcessesOrBreakTheLinksRules) {
  const sc_time edge(5, SC_NS), middle(5.5, SC_NS);
  const auto send = [](LocalPort& port, Network&) { port.send(kHead); };
  EXPECT_EQ(error_of(edge, send), "");
  EXPECT_THAT(error_of(middle, send), HasSubstr("left, cycle 5: a call in the middle of a cycle"));
  EXPECT_THAT(error_of(middle, [](LocalPort& port, Network&) { (void)port.front(); }),
              HasSubstr("middle"));
  EXPECT_THAT(error_of(edge, [](LocalPort& port, Network&) { port.receive(); }),
              HasSubstr("no flit to take"));
  EXPECT_THAT(error_of(edge, [](LocalPort& port, Network&) { (void)port.can_send(1); }),
              HasSubstr("no such virtual channel"));
  EXPECT_THAT(error_of(edge,
                       [](LocalPort& port, Network&) {
                         port.send(kHead);
                         port.send(kHead);
                       }),
              HasSubstr("a second flit in one cycle"));
  // A process that goes around the port.
  EXPECT_THAT(error_of(edge,
                       [](LocalPort&, Network& network) {
                         LinkIf& end = network.router(0).from_neighbour[4];
                         end.put_flit(kHead);
                       }),
              HasSubstr("from a process by a LocalPort alone"));
}

TEST(LocalPort, NamesANodeOrPortThatTheNetworkDoesNotHave) {
  Fabric fabric("fabric");
  Network network("network", fabric, {{2, 1, 1}, {.local_ports = 1}});
  EXPECT_THROW(LocalPort("a", network, 2), ConfigError);
  EXPECT_THROW(LocalPort("b", network, 0, 1), ConfigError);
  EXPECT_THROW(LocalPort("c", network, 0, -1), ConfigError);
}

}  // namespace
}  // namespace annelid::systemc
