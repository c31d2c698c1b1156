// Clocked modules of the user's own at the local ports of a network: when flits pass, which process
// wakes, and which calls are refused.
#include "systemc/modules/local_port.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <vector>

#include "systemc/modules/elaboration.hpp"
#include "systemc/modules/network.hpp"

namespace annelid::systemc {
namespace {

using sc_core::sc_clock;
using sc_core::SC_NS;
using sc_core::sc_start;
using sc_core::sc_time;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

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
