// The checks of a run against firmware that lies. Every lie breaks one promise, and exactly the
// checks that are made for it must see it.
// State space: calls that end early (at once, before the sends have left) or begin early; messages
// that do not wait for others, with contents that the firmware cannot know but has; writes after
// the end, beside each buffer, in buffers and parts of them that are not used at a node, in pages
// far behind, and of the value 0; honest firmware, once and again in the same machine.
#include "simulation/checks/checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/run_failure.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/results/collect.hpp"
#include "systemc/modules/elaboration.hpp"
#include "testbench/simulation/lying_firmware.hpp"

namespace annelid::simulation {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using MakeFirmware = std::function<std::unique_ptr<firmware::NativeFirmware>(
    nic::Nic&, const Collective&, const reference::Inputs&)>;

/// A scenario of some options, "--size 4x4 --skew 5".
Scenario scenario_of(std::initializer_list<std::pair<const char*, const char*>> values) {
  Settings settings(run_keys());
  settings.set("firmware", "native");
  for (const auto& [key, value] : values) {
    if (*value != '\0') settings.set(key, value);  // a barrier has no bytes
  }
  return Scenario::from(settings);
}

class Checked {
 public:
  /// `make` gives the firmware of each node; without it, the project's.
  explicit Checked(const Scenario& scenario, const MakeFirmware& make = {}, int times = 1) {
    const systemc::Elaboration elaboration;
    const std::vector<reference::Inputs> inputs = inputs_of(scenario);
    Simulation simulation(scenario, nullptr, {}, plan_memory(scenario).end);
    for (NodeId node = 0; make && node < scenario.network.nodes(); ++node) {
      auto firmware = make(simulation.nic(node), scenario.call().collective, inputs.front());
      if (firmware) simulation.nic(node).load(std::move(firmware));
    }
    for (int i = 0; i < times; ++i) {
      Progress silent;
      simulation.run(inputs, silent);
      result_ = checked_result(scenario, simulation, inputs);
    }
  }

  [[nodiscard]] std::vector<std::string> failed() const { return with(Verdict::kFailed); }
  [[nodiscard]] std::vector<std::string> not_run() const { return with(Verdict::kNotRun); }
  [[nodiscard]] std::string detail(const std::string& name) const {
    for (const Check& check : result_.checks) {
      if (check.name == name) return check.detail;
    }
    return "no such check";
  }
  [[nodiscard]] const RunResult& result() const { return result_; }

 private:
  [[nodiscard]] std::vector<std::string> with(Verdict verdict) const {
    std::vector<std::string> names;
    for (const Check& check : result_.checks) {
      if (check.verdict == verdict) names.push_back(check.name);
    }
    return names;
  }
  RunResult result_;
};

template <typename Lie>
MakeFirmware every_node() {
  return [](nic::Nic& nic, const Collective&, const reference::Inputs&) {
    return std::make_unique<OnBus>(std::make_unique<Lie>(nic));
  };
}

/// One node does something just before or after its end.
MakeFirmware one_node(NodeId node, AroundTheEnd::Action before, AroundTheEnd::Action after = {}) {
  return [=](nic::Nic& nic, const Collective&, const reference::Inputs&) {
    std::unique_ptr<firmware::NativeFirmware> firmware;
    if (nic.node() == node)
      firmware = std::make_unique<OnBus>(std::make_unique<AroundTheEnd>(nic, before, after));
    return firmware;
  };
}

/// One node does something so many cycles after its end.
MakeFirmware later(NodeId node, std::uint32_t cycles, LaterThanTheEnd::Action action,
                   bool again = false) {
  return [=](nic::Nic& nic, const Collective&, const reference::Inputs&) {
    std::unique_ptr<firmware::NativeFirmware> firmware;
    if (nic.node() == node) {
      firmware =
          std::make_unique<OnBus>(std::make_unique<LaterThanTheEnd>(nic, cycles, action, again));
    }
    return firmware;
  };
}

MakeFirmware other_values(OtherValues::Value value) {
  return [=](nic::Nic& nic, const Collective&, const reference::Inputs&) {
    return std::make_unique<OnBus>(std::make_unique<OtherValues>(nic, value));
  };
}

AroundTheEnd::Action store(std::uint64_t offset, int value) {
  return [=](nic::Nic& nic) {
    const auto byte = static_cast<std::byte>(value);
    nic.write_memory(static_cast<std::uint32_t>(offset), {&byte, 1});
  };
}

Scenario broadcast() { return scenario_of({{"network.size", "4x4"}, {"collective.bytes", "200"}}); }

// ---- When calls end and begin -------------------------------------------------------------------

TEST(Checks, HoldForHonestFirmwareOnceAndAgain) {
  for (const char* operation : {"broadcast", "reduce", "gather", "scatter", "all-gather",
                                "all-reduce", "barrier", "transpose", "all-to-all", "scan"}) {
    const char* const bytes = std::string_view(operation) == "barrier" ? "" : "40";
    const Checked run(scenario_of({{"network.size", "4x4"},
                                   {"collective.operation", operation},
                                   {"collective.bytes", bytes},
                                   {"collective.skew", "200"}}),
                      {}, 2);
    EXPECT_THAT(run.failed(), IsEmpty()) << operation;
    EXPECT_EQ(run.result().call().nodes_verified, 16u) << operation;
  }
}

TEST(Checks, SeeACallThatEndsWhenItIsTaken) {
  const Checked honest(broadcast()), lying(broadcast(), every_node<DoneWhenTaken>());
  EXPECT_LT(lying.result().cycles, honest.result().cycles);
  EXPECT_THAT(lying.failed(), ElementsAre("calls"));
  EXPECT_THAT(lying.detail("calls"),
              AllOf(HasSubstr("step 1: 0,0 -> "), HasSubstr("ended its call in cycle 0")));
}

TEST(Checks, SeeACallThatEndsBeforeItsSendsHaveLeft) {
  const Checked lying(broadcast(), every_node<DoneWhenReceived>());
  EXPECT_THAT(lying.failed(), ElementsAre("calls"));
  EXPECT_THAT(lying.detail("calls"), HasSubstr(": sent in cycle "));
}

TEST(Checks, SeeAWriteAfterTheEndEvenOfTheSameBytes) {
  const std::uint64_t source = layout_of(broadcast().call().collective).source.offset;
  const auto write_again = [=](nic::Nic& nic) {
    std::byte value{};
    nic.read_memory(static_cast<std::uint32_t>(source), {&value, 1});
    nic.write_memory(static_cast<std::uint32_t>(source), {&value, 1});
  };
  EXPECT_THAT(Checked(broadcast(), one_node(3, write_again)).failed(), IsEmpty());
  const Checked lying(broadcast(), one_node(3, {}, write_again));
  EXPECT_THAT(lying.failed(), ElementsAre("calls"));
  EXPECT_EQ(lying.detail("calls"), "node 3,0: 1 writes to node memory after it ended its call");
}

/// A message of a node to itself.
struct Copy {
  std::uint64_t from, to;
  std::uint32_t bytes, step;
};
/// Its firmware gets to know nothing of it.
void send_itself(nic::Nic& nic, const Copy& copy) {
  const std::uint32_t own = nic.read(reg::kNode);
  constexpr std::uint32_t kNobody = 0x1FF, kUsual = 0xFF;
  const std::pair<std::uint32_t, std::uint32_t> writes[] = {
      {reg::kRecvSource, own},
      {reg::kRecvOffset, static_cast<std::uint32_t>(copy.to)},
      {reg::kRecvBytes, copy.bytes},
      {reg::kRecvTag, 1},
      {reg::kRecvNotify, kNobody},
      {reg::kRecvGo, 900},
      {reg::kRecvNotify, kUsual},
      {reg::kSendDestination, own},
      {reg::kSendOffset, static_cast<std::uint32_t>(copy.from)},
      {reg::kSendBytes, copy.bytes},
      {reg::kSendTag, 1},
      {reg::kSendStep, copy.step},
      {reg::kSendNotify, kNobody},
      {reg::kSendGo, 901},
      {reg::kSendNotify, kUsual}};
  for (const auto& [offset, value] : writes) nic.write(offset, value);
}

/// Sends itself a message when it takes its call.
class CopiesMore final : public Bus {
 public:
  CopiesMore(nic::Nic& nic, Copy copy) : Bus(nic), copy_(copy) {}
  std::uint32_t read(std::uint32_t offset) override {
    const std::uint32_t value = Bus::read(offset);
    if (is_ticket(offset, value)) send_itself(nic(), copy_);
    return value;
  }

 private:
  const Copy copy_;
};

// ---- After the last call ------------------------------------------------------------------------

constexpr std::uint32_t kLongAfter = 3000;  // cycles; all of this page's runs are shorter

TEST(Afterwards, AWriteIsSeen) {
  const Scenario s = scenario_of({{"network.size", "4x4"}, {"collective.operation", "all-gather"}});
  const std::uint64_t target = layout_of(s.call().collective).target.offset;
  const auto spoil = [=](nic::Nic& nic) {
    std::byte value{};
    nic.read_memory(static_cast<std::uint32_t>(target), {&value, 1});
    value ^= std::byte{1};
    nic.write_memory(static_cast<std::uint32_t>(target), {&value, 1});
  };
  const Checked honest(s), lying(s, later(3, kLongAfter, spoil));
  EXPECT_THAT(lying.failed(), ElementsAre("bytes", "calls"));
  EXPECT_THAT(lying.detail("bytes"), HasSubstr("node (3,0): TARGET, byte 0: expected"));
  EXPECT_EQ(lying.result().cycles, honest.result().cycles);
}

TEST(Afterwards, AMessageThatNobodyReceivesIsSeen) {
  const Checked lying(broadcast(),
                      later(5, kLongAfter, [](nic::Nic& nic) { Scripted::send(nic, 2, 100, 9); }));
  EXPECT_THAT(lying.failed(), ElementsAre("schedule", "calls", "network"));
  EXPECT_THAT(lying.detail("schedule"), HasSubstr("100 bytes never arrived"));
  const Checked honest(broadcast());
  EXPECT_EQ(lying.result().cycles, honest.result().cycles);
  EXPECT_EQ(lying.result().control.blocked.control, honest.result().control.blocked.control);
  EXPECT_EQ(lying.result().channels.size(), honest.result().channels.size());
}

TEST(Afterwards, AMessageToTheOwnNodeIsSeen) {
  const Checked lying(broadcast(), later(5, kLongAfter, [](nic::Nic& nic) {
                        send_itself(nic, {0, 4096, 100, 0});
                      }));
  EXPECT_THAT(lying.failed(), ElementsAre("bytes", "schedule", "calls"));
}

TEST(Afterwards, AReceiveThatNobodyFillsIsSeen) {
  const Checked lying(broadcast(), later(5, kLongAfter, [](nic::Nic& nic) {
                        Scripted::receive(nic, 0, 100, 1, 4096);
                      }));
  EXPECT_THAT(lying.failed(), ElementsAre("network"));
  EXPECT_EQ(lying.detail("network"), "NIC 1,1 is not idle");
}

TEST(Afterwards, ATrapEndsTheRun) {
  const auto trap = [](nic::Nic& nic) { (void)nic.read(reg::kSendGo); };
  try {
    const Checked lying(broadcast(), later(5, kLongAfter, trap));
    FAIL() << "no trap";
  } catch (const RunFailure& failure) {
    EXPECT_THAT(failure.what(), AllOf(HasSubstr("node 1,1, cycle "), HasSubstr("trapped")));
  }
}

// Without an end, it takes 10,000 cycles, or as many as the calls have taken.
TEST(Afterwards, ProcessorsThatDoNotRestAreTold) {
  EXPECT_EQ(Checked(broadcast()).detail("network"), "empty at the end, every NIC idle");
  const Checked restless(broadcast(), later(5, 700, {}, true));
  EXPECT_THAT(restless.failed(), IsEmpty());
  EXPECT_EQ(restless.detail("network"),
            "empty at the end, every NIC idle; processors still worked 10000 cycles later");
  const auto store_again = store(4096, 0);
  EXPECT_THAT(Checked(broadcast(), later(5, 9000, store_again)).failed(),
              ElementsAre("bytes", "calls"));
  EXPECT_THAT(Checked(broadcast(), later(5, 15'000, store_again)).failed(), IsEmpty());
  const Scenario slow = scenario_of(
      {{"network.size", "4x4"}, {"collective.bytes", "200"}, {"collective.skew", "20000"}});
  EXPECT_THAT(Checked(slow, later(5, 15'000, store_again)).failed(), ElementsAre("bytes", "calls"));
}

TEST(Afterwards, NothingOfItIsInTheNextRun) {
  const Checked twice(broadcast(), later(5, 700, [](nic::Nic&) {}), 2);
  EXPECT_THAT(twice.failed(), IsEmpty());
  EXPECT_EQ(twice.result().cycles, Checked(broadcast(), {}, 2).result().cycles);
}

// ---- What leaves no trace in memory -------------------------------------------------------------

TEST(Checks, SeeAWriteThatIsRestored) {
  const Scenario s = scenario_of(
      {{"network.size", "3x2"}, {"collective.operation", "gather"}, {"collective.bytes", "60"}});
  const MemoryLayout l = layout_of(s.call().collective);
  const auto restored = [](std::uint64_t offset) {
    return [=](nic::Nic& nic) {
      std::byte value{}, other{};
      const auto at = static_cast<std::uint32_t>(offset);
      nic.read_memory(at, {&value, 1});
      other = value ^ std::byte{1};
      nic.write_memory(at, {&other, 1});
      nic.write_memory(at, {&value, 1});
    };
  };
  for (const auto& [offset, name] :
       {std::pair{l.source.end(), "the bytes behind SOURCE, byte 0: written, although"},
        std::pair{l.source.offset, "SOURCE, byte 0: written, although"},
        std::pair{l.source.offset - 1, "the bytes before SOURCE, byte 63: written, although"},
        std::pair{l.target.offset - 1, "the bytes behind SOURCE, byte "},
        std::pair{l.target.offset + 7, "TARGET, which is not written there, byte 7: written"}}) {
    const Checked lying(s, one_node(4, restored(offset)));
    EXPECT_THAT(lying.failed(), ElementsAre("bytes")) << name;
    EXPECT_THAT(lying.detail("bytes"), HasSubstr(name));
  }
  EXPECT_THAT(Checked(s, one_node(0, restored(l.target.offset))).failed(), IsEmpty());
}

TEST(Checks, SeeTheSameWrongTagAtBothEnds) {
  const auto other_tag = [](std::uint32_t offset, std::uint32_t value) {
    return offset == reg::kSendTag || offset == reg::kRecvTag ? value ^ 4U : value;
  };
  const Checked lying(broadcast(), other_values(other_tag));
  EXPECT_THAT(lying.failed(), ElementsAre("network"));
  EXPECT_THAT(lying.detail("network"), AllOf(HasSubstr("step 1: 0,0 -> "),
                                             HasSubstr("tag 5, expected that of the call, 1")));
}

TEST(Checks, SeeAnotherInjectionPort) {
  for (const char* topology : {"mesh", "torus", "ideal"}) {
    const Scenario s = scenario_of({{"network.size", "4x4"}, {"network.topology", topology}});
    const auto port = [](std::uint32_t number) {
      return [=](std::uint32_t offset, std::uint32_t value) {
        return offset == reg::kSendPort ? number : value;
      };
    };
    EXPECT_THAT(Checked(s, other_values(port(reg::kPortByRoute))).failed(), IsEmpty()) << topology;
    const Checked lying(s, [&](nic::Nic& nic, const Collective&, const reference::Inputs&) {
      nic.write(reg::kSendPort, 3);  // the firmware leaves it as it is
      return std::make_unique<OnBus>(std::make_unique<OtherValues>(nic, port(3)));
    });
    EXPECT_THAT(lying.failed(), ::testing::Contains("schedule")) << topology;
    EXPECT_THAT(lying.detail("schedule"), HasSubstr("by injection port 3, expected "));
  }
}

MakeFirmware copies_more(NodeId node, Copy copy) {
  return [=](nic::Nic& nic, const Collective&, const reference::Inputs&) {
    std::unique_ptr<firmware::NativeFirmware> firmware;
    if (nic.node() == node) {
      firmware = std::make_unique<OnBus>(std::make_unique<CopiesMore>(nic, copy));
    }
    return firmware;
  };
}

TEST(Checks, SeeMessagesToTheOwnNodeThatAreNoCopiesOfTheOperation) {
  const auto see = [](const Scenario& s, NodeId node, Copy copy, const char* what) {
    const Checked lying(s, copies_more(node, copy));
    EXPECT_THAT(lying.failed(), ElementsAre("schedule")) << what;
    EXPECT_THAT(lying.detail("schedule"), HasSubstr(what));
  };
  see(broadcast(), 5, {0, 0, 0, 0},
      "node 1,1: 1 messages to itself with 0 bytes, expected at most 0 with 0");
  const Scenario s = scenario_of({{"network.size", "2x2"},
                                  {"collective.operation", "reduce"},
                                  {"collective.algorithm", "recursive-doubling"},
                                  {"collective.bytes", "200"}});
  const MemoryLayout l = layout_of(s.call().collective);
  const std::uint64_t from = l.source.offset, to = l.scratch.end() - 200;
  see(s, 3, {from, to, 8, 0}, "8 bytes, expected a copy of whole blocks of 200 bytes");
  see(s, 0, {from, to, 200, 0},  // which copies its own block to TARGET
      "node 0,0: 2 messages to itself with 400 bytes, expected at most 4 with 200");
}

TEST(Checks, NeedAnotherSeedForContentsThatTheFirmwareKnows) {
  // It has learnt the result of the default seed, and does not look at what it gets.
  const auto knowing = [](const Scenario& s) {
    const std::vector<reference::Inputs> learnt =
        inputs_of(scenario_of({{"network.size", "2"},
                               {"collective.operation", "all-gather"},
                               {"collective.bytes", "40"}}));
    std::vector<std::byte> result;
    for (const reference::Bytes& block : learnt.front().source) {
      result.insert(result.end(), block.begin(), block.end());
    }
    const auto target = static_cast<std::uint32_t>(layout_of(s.call().collective).target.offset);
    return Checked(s, one_node(1, [=](nic::Nic& nic) { nic.write_memory(target, result); }));
  };
  const auto with_seed = [](const char* seed) {
    return scenario_of({{"network.size", "2"},
                        {"collective.operation", "all-gather"},
                        {"collective.bytes", "40"},
                        {"collective.seed", seed}});
  };
  EXPECT_THAT(knowing(with_seed("1")).failed(), IsEmpty()) << "one run proves nothing";
  EXPECT_THAT(knowing(with_seed("2")).failed(), ElementsAre("bytes"));
}

TEST(Checks, SeeACallThatEndsBeforeItsMessageHasCome) {
  const Checked lying(broadcast(), [](nic::Nic& nic, const Collective&, const reference::Inputs&) {
    std::unique_ptr<firmware::NativeFirmware> firmware;
    if (nic.node() == 15)  // which passes nothing on
      firmware = std::make_unique<OnBus>(std::make_unique<DoneWhenTaken>(nic));
    return firmware;
  });
  EXPECT_THAT(lying.failed(), ElementsAre("calls"));
  EXPECT_THAT(lying.detail("calls"), AllOf(HasSubstr("-> 3,3, 200 bytes: received in cycle "),
                                           HasSubstr("ended its call in cycle 0")));
}

TEST(Checks, SeeMessagesAndWritesBeforeTheCall) {
  const Scenario s = scenario_of(
      {{"network.size", "2"}, {"collective.operation", "barrier"}, {"collective.skew", "500"}});
  const Checked early(s, [](nic::Nic& nic, const Collective&, const reference::Inputs&) {
    const std::uint32_t peer = 1 - nic.node();
    const auto exchange = [peer](nic::Nic& own) {
      Scripted::receive(own, peer, 0, 1);
      Scripted::send(own, peer, 0, 1);
    };
    return std::make_unique<Scripted>(nic, Scripted::Part{exchange, nullptr, 2});
  });
  EXPECT_THAT(early.failed(), ::testing::Contains("calls"));
  EXPECT_THAT(early.detail("calls"),
              HasSubstr("received in cycle 12, but node 1 got its call in cycle 500"));
  // Only the sender is early.
  const Scenario from_late = scenario_of({{"network.size", "2"},
                                          {"collective.root", "1"},
                                          {"collective.bytes", "0"},
                                          {"collective.skew", "500"}});
  const Checked root(from_late, [](nic::Nic& nic, const Collective&, const reference::Inputs&) {
    std::unique_ptr<firmware::NativeFirmware> firmware;
    const auto send = [](nic::Nic& own) { Scripted::send(own, 0, 0, 1); };
    if (nic.node() == 1) {
      firmware = std::make_unique<Scripted>(nic, Scripted::Part{send, nullptr, 1});
    }
    return firmware;
  });
  EXPECT_THAT(root.detail("calls"),
              HasSubstr("posted in cycle 0, but node 1 got its call in cycle 500"));

  class WritesAtOnce final : public Bus {
   public:
    using Bus::Bus;
    void begin() override {
      if (!begun_)
        store(layout_of(scenario_of({{"network.size", "2"}}).call().collective).source.offset,
              1)(nic());
      begun_ = true;
    }

   private:
    bool begun_ = false;
  };
  const Checked writes(s, every_node<WritesAtOnce>());
  EXPECT_THAT(writes.detail("calls"), HasSubstr("1 writes to node memory before its call"));
}

TEST(Checks, SeeMessagesThatDoNotWaitForOthers) {
  const Scenario barrier =
      scenario_of({{"network.size", "4x4"}, {"collective.operation", "barrier"}});
  const Checked careless(barrier, [](nic::Nic& nic, const Collective&, const reference::Inputs&) {
    return std::make_unique<OnBus>(std::make_unique<SendsAhead>(nic, [](nic::Nic&) {}));
  });
  EXPECT_LT(careless.result().cycles, Checked(barrier).result().cycles);
  EXPECT_THAT(careless.failed(), ElementsAre("order"));

  // Contents that are known before they come. (In longer messages a NIC finds the overlap.)
  const Scenario short_one = scenario_of({{"network.size", "4x4"}, {"collective.bytes", "40"}});
  const Checked knowing(
      short_one, [](nic::Nic& nic, const Collective& c, const reference::Inputs& inputs) {
        const auto offset = static_cast<std::uint32_t>(layout_of(c).source.offset);
        return std::make_unique<OnBus>(std::make_unique<SendsAhead>(nic, [=](nic::Nic& own) {
          if (own.node() != 0) own.write_memory(offset, inputs.source[0]);
        }));
      });
  EXPECT_THAT(knowing.failed(), ElementsAre("order"));
  EXPECT_THAT(knowing.detail("order"),
              HasSubstr("posted in cycle 0, before its sender had what step "));
}

TEST(Order, CountsAllStepsBefore) {
  // In a line of three the first node sends a long message in step 1, the last one a short one in
  // step 2, and the middle one sends in step 3 as soon as it has the short one.
  const Scenario s = scenario_of({{"network.size", "3"}, {"collective.operation", "barrier"}});
  const auto make = [](int needed) {
    return [needed](nic::Nic& nic, const Collective&, const reference::Inputs&) {
      Scripted::Part part;
      if (nic.node() == 0) {
        part.begin = [](nic::Nic& own) {
          Scripted::receive(own, 1, 0, 3);
          Scripted::send(own, 1, 2000, 1);
        };
        part.completions = 2;
      } else if (nic.node() == 2) {
        part.begin = [](nic::Nic& own) { Scripted::send(own, 1, 0, 2); };
        part.completions = 1;
      } else {
        part.begin = [](nic::Nic& own) {
          Scripted::receive(own, 0, 2000, 1, 4096);
          Scripted::receive(own, 2, 0, 2);
        };
        part.completed = [needed](nic::Nic& own, int count) {
          if (count == needed) Scripted::send(own, 0, 0, 3);
        };
        part.completions = 3;
      }
      return std::make_unique<Scripted>(nic, part);
    };
  };
  EXPECT_THAT(Checked(s, make(1)).failed(), ::testing::Contains("order"));
  EXPECT_THAT(Checked(s, make(2)).failed(), ::testing::Not(::testing::Contains("order")));
}

TEST(Order, OfOneStrandDoesNotWaitForAnother) {
  // In a ring of three, two packets go 0 -> 1 -> 2 and two more 0 -> 2 -> 1. Node 2 sends its own
  // on when it has everything, so node 1 must not wait for those of step 2.
  const Scenario s = scenario_of({{"network.size", "3"},
                                  {"network.topology", "torus"},
                                  {"collective.algorithm", "disjoint-trees"},
                                  {"collective.packets", "2"}});
  const auto make = [](int needed) {
    return [needed](nic::Nic& nic, const Collective&, const reference::Inputs&) {
      Scripted::Part part;
      if (nic.node() == 0) {
        part.begin = [](nic::Nic& own) {
          for (const NodeId to : {NodeId{1}, NodeId{2}}) Scripted::send(own, to, 0, 1);
          for (const NodeId to : {NodeId{1}, NodeId{2}}) Scripted::send(own, to, 2000, 2);
        };
        part.completions = 4;
        return std::make_unique<Scripted>(nic, part);
      }
      const NodeId other = nic.node() == 1 ? 2 : 1;
      part.begin = [other](nic::Nic& own) {
        Scripted::receive(own, 0, 0, 1);
        Scripted::receive(own, 0, 2000, 2, 4096);
        for (const std::uint32_t step : {2U, 3U}) Scripted::receive(own, other, 0, step);
      };
      part.completed = [needed](nic::Nic& own, int count) {
        if (own.node() == 2 && count == 4) {
          for (const std::uint32_t step : {2U, 3U}) Scripted::send(own, 1, 0, step);
        }
        if (own.node() == 1 && count == 1) Scripted::send(own, 2, 0, 2);
        if (own.node() == 1 && count == needed) Scripted::send(own, 2, 0, 3);
      };
      part.completions = 6;
      return std::make_unique<Scripted>(nic, part);
    };
  };
  EXPECT_THAT(Checked(s, make(1)).failed(), ::testing::Contains("order"));
  EXPECT_THAT(Checked(s, make(3)).failed(), ::testing::Not(::testing::Contains("order")));
}

TEST(Order, WaitsForAllStrandsWhereTheyJoin) {
  // A phase on 2 x 2 nodes is one step. Node 0 has its piece of strand 0 soon, of strand 1 late.
  constexpr std::uint32_t kAbove = 1U << 8U;  // node (0,1) in a register
  const Scenario s = scenario_of({{"network.size", "2x2"},
                                  {"collective.operation", "all-gather"},
                                  {"collective.algorithm", "port-rings"}});
  const auto make = [](int needed) {
    return [needed](nic::Nic& nic, const Collective&, const reference::Inputs&) {
      Scripted::Part part;
      part.begin = [](nic::Nic&) {};
      if (nic.node() == 0) {
        part.begin = [](nic::Nic& own) {
          Scripted::receive(own, 1, 0, 1);
          Scripted::receive(own, kAbove, 2000, 1, 4096);
        };
        part.completed = [needed](nic::Nic& own, int count) {
          if (count == needed) Scripted::send(own, kAbove, 0, 2);
        };
        part.completions = 3;
      } else if (nic.node() == 1) {
        part.begin = [](nic::Nic& own) { Scripted::send(own, 0, 0, 1); };
        part.completions = 1;
      } else if (nic.node() == 2) {
        part.begin = [](nic::Nic& own) {
          Scripted::receive(own, 0, 0, 2);
          Scripted::send(own, 0, 2000, 1);
        };
        part.completions = 2;
      }
      return std::make_unique<Scripted>(nic, part);
    };
  };
  EXPECT_THAT(Checked(s, make(1)).failed(), ::testing::Contains("order"));
  EXPECT_THAT(Checked(s, make(2)).failed(), ::testing::Not(::testing::Contains("order")));
}

TEST(Order, OfAResultWaitsForWhatTheRootCombines) {
  // On a line of two, node 0 sends its vector in step 1, and node 1 the result in step 2.
  const Scenario s = scenario_of({{"network.size", "2"},
                                  {"collective.operation", "all-reduce"},
                                  {"collective.algorithm", "combs"}});
  const auto make = [](int needed) {
    return [needed](nic::Nic& nic, const Collective&, const reference::Inputs&) {
      Scripted::Part part;
      part.completions = 2;
      if (nic.node() == 0) {
        part.begin = [](nic::Nic& own) {
          Scripted::receive(own, 1, 0, 2);
          Scripted::send(own, 1, 2000, 1);
        };
        return std::make_unique<Scripted>(nic, part);
      }
      part.begin = [needed](nic::Nic& own) {
        if (needed == 0) Scripted::send(own, 0, 0, 2);
        Scripted::receive(own, 0, 2000, 1);
      };
      part.completed = [needed](nic::Nic& own, int count) {
        if (needed > 0 && count == needed) Scripted::send(own, 0, 0, 2);
      };
      return std::make_unique<Scripted>(nic, part);
    };
  };
  EXPECT_THAT(Checked(s, make(0)).failed(), ::testing::Contains("order"));
  EXPECT_THAT(Checked(s, make(1)).failed(), ::testing::Not(::testing::Contains("order")));
}

// ---- The schedule and leftovers -----------------------------------------------------------------

TEST(Messages, ThatAreMissingOrTooManyAreSeen) {
  const Scenario s = scenario_of({{"network.size", "2"}, {"collective.operation", "all-gather"}});
  class Steps final : public Bus {
   public:
    using Bus::Bus;
    void write(std::uint32_t offset, std::uint32_t value) override {
      Bus::write(offset, offset == reg::kSendStep ? value + 1 : value);
    }
  };
  const Checked other(s, every_node<Steps>());
  EXPECT_THAT(other.failed(), ElementsAre("schedule", "stepwise contention"));
  EXPECT_THAT(other.detail("stepwise contention"),
              HasSubstr("step 1: 0 messages crossed the busiest channel, expected 1"));
  EXPECT_THAT(other.detail("schedule"), HasSubstr("missing step 1: (0,0) -> (1,0)"));

  // Both exchange another message, without entries in the completion queue.
  const Checked more(s, [](nic::Nic& nic, const Collective&, const reference::Inputs&) {
    const std::uint32_t peer = 1 - nic.node();
    const auto exchange = [peer](nic::Nic& own) {
      constexpr std::uint32_t kNobody = 0x1FF, kUsual = 0xFF;
      const std::pair<std::uint32_t, std::uint32_t> writes[] = {
          {reg::kRecvSource, peer},      {reg::kRecvBytes, 0},        {reg::kRecvTag, 9},
          {reg::kRecvNotify, kNobody},   {reg::kRecvGo, 900},         {reg::kRecvNotify, kUsual},
          {reg::kSendDestination, peer}, {reg::kSendBytes, 0},        {reg::kSendTag, 9},
          {reg::kSendStep, 7},           {reg::kSendNotify, kNobody}, {reg::kSendGo, 901},
          {reg::kSendNotify, kUsual}};
      for (const auto& [offset, value] : writes) own.write(offset, value);
    };
    return std::make_unique<OnBus>(
        std::make_unique<AroundTheEnd>(nic, exchange, AroundTheEnd::Action{}));
  });
  EXPECT_THAT(more.detail("schedule"), HasSubstr("not in the reference: step 7: "));
}

TEST(Messages, ThatDifferAreNamedByXBeforeY) {
  const Scenario s = scenario_of({{"network.size", "2x2"}, {"collective.operation", "barrier"}});
  class Later final : public Bus {
   public:
    using Bus::Bus;
    void write(std::uint32_t offset, std::uint32_t value) override {
      const bool lies = nic().node() == 1 || nic().node() == 2;  // (1,0) and (0,1)
      Bus::write(offset, offset == reg::kSendStep && lies ? value + 10 : value);
    }
  };
  const Checked lying(s, every_node<Later>());
  EXPECT_THAT(lying.failed(), ::testing::Contains("schedule"));
  EXPECT_THAT(lying.detail("schedule"), HasSubstr("missing step 1: (0,1) -> "));
}

TEST(Leftovers, OfAReceiveThatNobodyFillsAreSeen) {
  const Scenario s = scenario_of({{"network.size", "2"}, {"collective.operation", "barrier"}});
  const Checked waits(s, one_node(1, [](nic::Nic& nic) {
                        nic.write(reg::kRecvSource, 0);
                        nic.write(reg::kRecvBytes, 0);
                        nic.write(reg::kRecvTag, 9);
                        nic.write(reg::kRecvGo, 900);
                      }));
  EXPECT_THAT(waits.failed(), ElementsAre("network"));
}

TEST(Lost, MessagesAreNamed) {
  const Scenario s = scenario_of({{"network.size", "2"}, {"collective.operation", "barrier"}});
  const Checked lost(s, one_node(0, [](nic::Nic& nic) {
                       nic.write(reg::kSendDestination, 1);
                       nic.write(reg::kSendBytes, 100);
                       nic.write(reg::kSendTag, 9);
                       nic.write(reg::kSendGo, 901);
                     }));
  EXPECT_THAT(lost.detail("schedule"), HasSubstr("100 bytes never arrived"));
  EXPECT_THAT(lost.failed(), ElementsAre("schedule", "calls", "network"));
}

TEST(Bytes, OfTargetAndSourceAreCompared) {
  const Scenario s = scenario_of({{"network.size", "2"}, {"collective.operation", "all-gather"}});
  const MemoryLayout layout = layout_of(s.call().collective);
  for (const Buffer& buffer : {layout.source, layout.target}) {
    const auto spoil = [=](nic::Nic& nic) {
      std::byte value{};
      nic.read_memory(static_cast<std::uint32_t>(buffer.offset), {&value, 1});
      value ^= std::byte{1};
      nic.write_memory(static_cast<std::uint32_t>(buffer.offset), {&value, 1});
    };
    EXPECT_THAT(Checked(s, one_node(1, spoil)).failed(), ElementsAre("bytes"));
  }
}

// ---- A barrier ----------------------------------------------------------------------------------

TEST(Checks, OfABarrierNeedsCallsThatBeginApart) {
  const Checked together(
      scenario_of({{"network.size", "2x2"}, {"collective.operation", "barrier"}}));
  EXPECT_THAT(together.not_run(), ::testing::Contains("barrier"));
  const Checked apart(scenario_of(
      {{"network.size", "2x2"}, {"collective.operation", "barrier"}, {"collective.skew", "400"}}));
  EXPECT_THAT(apart.not_run(), ::testing::Not(::testing::Contains("barrier")));
  const Checked early(scenario_of({{"network.size", "2x2"},
                                   {"collective.operation", "barrier"},
                                   {"collective.skew", "400"}}),
                      every_node<DoneWhenTaken>());
  EXPECT_THAT(early.failed(), ElementsAre("calls", "barrier"));
}

// ---- Memory -------------------------------------------------------------------------------------

struct Scribble {
  const char* name;
  const char *operation, *bytes;
  NodeId node;
  std::function<std::uint64_t(const MemoryLayout&)> where;
  const char* found;
};

class Scribbles : public ::testing::TestWithParam<Scribble> {};

TEST_P(Scribbles, AreSeenWhateverIsWritten) {
  const Scribble& p = GetParam();
  const Scenario s = scenario_of({{"network.size", "3x2"},
                                  {"collective.operation", p.operation},
                                  {"collective.bytes", p.bytes}});
  const std::uint64_t offset = p.where(layout_of(s.call().collective));
  for (const int value : {0, 0xA4}) {
    const Checked run(s, one_node(p.node, store(offset, value)));
    EXPECT_THAT(run.failed(), ElementsAre("bytes")) << value;
    EXPECT_THAT(run.detail("bytes"), HasSubstr(p.found)) << value;
    EXPECT_EQ(run.result().call().nodes_verified, 5u);
  }
}

constexpr std::uint64_t kPage = nic::NodeMemory::kPageBytes;

INSTANTIATE_TEST_SUITE_P(
    In, Scribbles,
    ::testing::Values(
        Scribble{"TheFirstByte", "reduce", "64", 2, [](const MemoryLayout&) { return 0; },
                 "the bytes before SOURCE, byte 0: expected"},
        Scribble{"TheGuardBehindSource", "reduce", "60", 2,
                 [](const MemoryLayout& l) { return l.source.end(); },
                 "the bytes behind SOURCE, byte 0: expected"},
        Scribble{"TheGuardBehindTarget", "gather", "60", 0,
                 [](const MemoryLayout& l) { return l.scratch.offset - 1; },
                 "the bytes behind TARGET, byte "},
        Scribble{"TheGuardBehindScratch", "gather", "60", 0,
                 [](const MemoryLayout& l) { return l.scratch.end(); },
                 "the bytes behind SCRATCH, byte 0: expected"},
        Scribble{"SourceItself", "reduce", "64", 2,
                 [](const MemoryLayout& l) { return l.source.end() - 1; }, "SOURCE, byte 63: "},
        Scribble{"AnUnusedTarget", "gather", "64", 3,
                 [](const MemoryLayout& l) { return l.target.end() - 1; },
                 "TARGET, which is not written there, byte 383: expected"},
        Scribble{"AnUnusedTargetBehindItsFirst4096Bytes", "gather", "1000", 3,
                 [](const MemoryLayout& l) { return l.target.offset + 4096; },
                 "TARGET, which is not written there, byte 4096: expected"},
        Scribble{"APageOfAnUnusedTarget", "gather", "10000", 3,
                 [](const MemoryLayout& l) { return l.target.offset + 2 * kPage; },
                 "TARGET, which is not written there: written, somewhere in bytes "},
        Scribble{"TheLastPageOfAnUnusedTarget", "gather", "10000", 3,
                 [](const MemoryLayout& l) { return l.target.end() - 1; },
                 "TARGET, which is not written there, byte 59999: expected"},
        Scribble{"AnUnusedSource", "scatter", "1000", 4,
                 [](const MemoryLayout& l) { return l.source.offset + 5999; },
                 "SOURCE, of which nothing is used there, byte 5999: expected"},
        Scribble{"BehindTheLayout", "reduce", "64", 1, [](const MemoryLayout& l) { return l.end; },
                 "the memory behind all buffers, byte 0: expected"},
        Scribble{"TheLastByteOfThatPage", "reduce", "64", 1,
                 [](const MemoryLayout&) { return kPage - 1; },
                 "the memory behind all buffers, byte "},
        Scribble{"ThePageBehind", "reduce", "64", 1, [](const MemoryLayout&) { return kPage; },
                 "the memory behind all buffers: written, somewhere in bytes "},
        Scribble{"TheLastByteOfAll", "barrier", "", 5,
                 [](const MemoryLayout&) { return (std::uint64_t{1} << 28) - 1; },
                 "the memory behind all buffers: written, somewhere in bytes "}),
    [](const auto& test) { return test.param.name; });

TEST(Checks, SeeAllBuffersOfANodeThatTakesNoPart) {
  const Scenario s = scenario_of({{"network.size", "3x2"},
                                  {"collective.operation", "scan"},
                                  {"collective.ranks", "4"},
                                  {"collective.bytes", "40"}});
  const MemoryLayout layout = layout_of(s.call().collective);
  for (const auto& [offset, name] : {std::pair{layout.source.offset, "SOURCE, of which nothing"},
                                     std::pair{layout.target.offset, "TARGET, which is not"},
                                     std::pair{layout.scratch.offset, "SCRATCH, of a node that"}}) {
    EXPECT_THAT(Checked(s, one_node(5, store(offset, 0))).detail("bytes"), HasSubstr(name));
    const Checked member(s, one_node(1, store(offset, 0)));
    EXPECT_EQ(member.detail("bytes").find(name), std::string::npos);
  }
}

TEST(Checks, FindNothingOfTheRunBefore) {
  // A large operation first: what it left in memory is none of the second one's.
  const Scenario large = scenario_of({{"network.size", "2x2"},
                                      {"collective.operation", "all-gather"},
                                      {"collective.bytes", "50000"}});
  const systemc::Elaboration elaboration;
  Scenario scenario = large;
  Simulation simulation(scenario, nullptr, {}, layout_of(large.call().collective).end);
  Progress silent;
  for (const char* bytes : {"50000", "10"}) {
    scenario = scenario_of({{"network.size", "2x2"},
                            {"collective.operation", "all-gather"},
                            {"collective.bytes", bytes}});
    const std::vector<reference::Inputs> inputs = inputs_of(scenario);
    simulation.run(inputs, silent);
    RunResult result = checked_result(scenario, simulation, inputs);
    EXPECT_TRUE(result.passed()) << bytes;
  }
}

// ---- Channels that messages share ---------------------------------------------------------------

/// The check of a broadcast on a line, by a hybrid with 1, 2, 4, 4, 2 and 1 messages on a channel,
/// of which a step's number has been changed.
Check contention_with(std::uint32_t step, std::uint64_t more, const char* topology = "mesh") {
  const Scenario s = scenario_of({{"network.size", "12"},
                                  {"network.topology", topology},
                                  {"collective.algorithm", "intercom"},
                                  {"collective.logical_mesh", "2x2x3"}});
  const systemc::Elaboration elaboration;
  const std::vector<reference::Inputs> inputs = inputs_of(s);
  Simulation simulation(s, nullptr, {}, plan_memory(s).end);
  Progress silent;
  simulation.run(inputs, silent);
  const auto messages = messages_by_call(simulation, s.calls.size());
  RunResult result = collect(s, simulation, inputs, messages);
  result.calls[0].steps.at(step).busiest += more;
  check_run(simulation, inputs, messages, result);
  return *std::ranges::find(result.checks, "stepwise contention", &Check::name);
}

TEST(Contention, OnTheBusiestChannelOfAStepIsTheReferences) {
  const Check honest = contention_with(3, 0);
  EXPECT_EQ(honest.verdict, Verdict::kNotRun) << "nothing is promised";
  EXPECT_THAT(honest.detail, HasSubstr("as many messages as in the reference, at most 4"));
  const Check more = contention_with(3, 1);
  EXPECT_EQ(more.verdict, Verdict::kFailed);
  EXPECT_EQ(more.detail, "step 3: 5 messages crossed the busiest channel, expected 4");
  EXPECT_EQ(contention_with(6, 1).verdict, Verdict::kFailed) << "the reference has 1";
  EXPECT_NE(contention_with(6, 1, "ideal").verdict, Verdict::kFailed) << "no channels";
}

}  // namespace
}  // namespace annelid::simulation
