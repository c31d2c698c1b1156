// Runs in which the fabric executes many cycles at once, against the same runs cycle by cycle.
// State space: all operations, on meshes, tori and one-port routers; depths, stages, link
// registers, virtual channels, arbiters; limits of the NICs; calls at different times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/input_error.hpp"
#include "base/random.hpp"
#include "simulation/checks/checks.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/results/collect.hpp"
#include "simulation/run.hpp"
#include "systemc/modules/elaboration.hpp"

namespace annelid::simulation {
namespace {

using Values = std::vector<std::pair<std::string, std::string>>;

Scenario scenario_of(const Values& values) {
  Settings settings(run_keys());
  settings.set("firmware", "native");
  for (const auto& [key, value] : values) settings.set(key, value);
  return Scenario::from(settings);
}

/// Counts the cycles that it was not told one by one.
class Repeats : public systemc::FabricObserver {
 public:
  explicit Repeats(bool wanted) : wanted_(wanted) {}
  [[nodiscard]] bool takes_repeats() const override { return wanted_; }
  void cycle(Cycle) override { ++told; }
  void repeated(Cycle cycles) override { repeated_cycles += cycles; }
  Cycle told = 0, repeated_cycles = 0;

 private:
  bool wanted_;
};

/// All that is left of a run.
struct Outcome {
  std::string result;
  std::vector<systemc::PacketRecord> packets;
  std::vector<reference::Bytes> memory;
  std::vector<Cycle> received;
  Cycle told = 0, repeated = 0;
};

Outcome outcome_of(const Scenario& scenario, bool repeats) {
  const systemc::Elaboration elaboration;
  const std::vector<reference::Inputs> inputs = inputs_of(scenario);
  const std::uint64_t bytes = plan_memory(scenario).end;
  Simulation simulation(scenario, nullptr, {}, bytes);
  Repeats observer(repeats);
  simulation.watch({&observer}, {});
  Progress silent;
  simulation.run(inputs, silent);
  RunResult result = checked_result(scenario, simulation, inputs);
  Outcome outcome{to_json(result), simulation.packets().packets(), {}, {},
                  observer.told,   observer.repeated_cycles};
  for (NodeId node = 0; node < scenario.network.nodes(); ++node) {
    reference::Bytes& memory = outcome.memory.emplace_back(bytes);
    simulation.nic(node).memory().read(0, memory);
  }
  for (const nic::MessageRecord& message : simulation.nics().messages().records()) {
    outcome.received.insert(outcome.received.end(),
                            {message.posted, message.sent, message.received});
  }
  return outcome;
}

/// Returns the cycles that were executed at once.
Cycle compare(const Values& values) {
  const Scenario scenario = scenario_of(values);
  const Outcome all = outcome_of(scenario, false), some = outcome_of(scenario, true);
  EXPECT_EQ(all.repeated, 0u);
  EXPECT_EQ(all.told, some.told + some.repeated);
  EXPECT_EQ(all.result, some.result);
  EXPECT_TRUE(all.packets == some.packets);
  EXPECT_TRUE(all.memory == some.memory);
  EXPECT_EQ(all.received, some.received);
  return some.repeated;
}

TEST(Repeats, TakeMostOfTheCyclesOfLongMessages) {
  const Values edn = {
      {"network.size", "8x8"}, {"collective.algorithm", "edn"}, {"collective.bytes", "4096"}};
  const Outcome some = outcome_of(scenario_of(edn), true);
  EXPECT_GT(some.repeated, 6 * some.told);
  compare(edn);
}

TEST(Repeats, KeepFlitsInSwitchAndLinkRegisters) {
  EXPECT_GT(compare({{"network.size", "4x4"},
                     {"router.stages", "3"},
                     {"router.link_registers", "2"},
                     {"collective.algorithm", "edn"},
                     {"collective.bytes", "4096"}}),
            1000u);
}

TEST(Repeats, GoOnWhileOtherMessagesWait) {
  EXPECT_GT(compare({{"network.size", "5x3"},
                     {"collective.operation", "all-to-all"},
                     {"collective.algorithm", "direct"},
                     {"collective.bytes", "2000"}}),
            100u);
}

// A core may act in a cycle in which nothing is injected, while flits are on their way.
TEST(Repeats, LeaveTheRoutersAwake) {
  for (const char* stages : {"2", "3", "4"}) {
    for (const char* bytes : {"600", "1000", "2000", "4000"}) {
      SCOPED_TRACE(std::string(stages) + " stages, " + bytes + " bytes");
      const Scenario scenario = scenario_of({{"network.size", "3x4"},
                                             {"network.topology", "torus"},
                                             {"router.classes", "plh"},
                                             {"router.stages", stages},
                                             {"collective.algorithm", "circulant"},
                                             {"collective.bytes", bytes},
                                             {"firmware", "rv32"}});
      RunOptions cycle_by_cycle;
      cycle_by_cycle.recordings.flit_log = "/dev/null";
      EXPECT_EQ(to_json(run(scenario)), to_json(run(scenario, cycle_by_cycle)));
    }
  }
}

/// Some random values of keys. Many of them do not fit together.
Values draw(Random& random) {
  Values values;
  const auto set = [&](std::uint32_t one_in, const char* key, std::vector<std::string> choices) {
    const std::string& choice = choices[random.below(static_cast<std::uint32_t>(choices.size()))];
    if (random.below(one_in) == 0) values.emplace_back(key, choice);
  };
  set(1, "network.size", {"4x4", "5x3", "7", "3x3x2", "6x2"});
  set(1, "collective.operation",
      {"broadcast", "reduce", "gather", "scatter", "all-gather", "all-reduce", "transpose",
       "all-to-all", "scan", "reduce-scatter"});
  set(2, "collective.algorithm", {"edn", "two-tree", "ring", "recursive-doubling", "binary-tree"});
  set(1, "collective.bytes", {"600", "1000", "1600", "2400"});
  set(5, "network.topology", {"torus"});
  set(6, "router.kind", {"one-port"});
  set(3, "router.vcs", {"1", "2", "3"});
  set(5, "router.local_vcs", {"2"});
  set(4, "router.control_vc", {"false"});
  set(3, "router.depth", {"1", "2", "3", "7"});
  set(3, "router.stages", {"2", "3", "4"});
  set(4, "router.link_registers", {"1", "3"});
  set(5, "router.arbiters", {"matrix", "fixed-priority"});
  set(5, "router.vc_selection", {"rotating", "most-credits"});
  set(5, "router.allocator", {"output-first", "wavefront"});
  set(5, "router.iterations", {"2", "3"});
  set(4, "nic.memory_flits", {"1", "2", "5"});
  set(5, "nic.half_duplex", {"true"});
  set(5, "nic.gamma", {"100"});
  set(5, "nic.alpha", {"30"});
  set(5, "nic.eager_bytes", {"0", "4096"});
  set(4, "collective.skew", {"300"});
  return values;
}

TEST(Repeats, ChangeNothingInRandomRuns) {
  constexpr int kRuns = 60;
  Random random(20);
  Cycle repeated = 0;
  for (int runs = 0; runs < kRuns;) {
    const Values values = draw(random);
    std::string text;
    for (const auto& [key, value] : values) text += key + " = " + value + "\n";
    SCOPED_TRACE(text);
    try {
      repeated += compare(values);
      ++runs;
    } catch (const InputError&) {  // of values that do not fit
    } catch (const systemc::ConfigError&) {
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(repeated, 10'000u);
}

}  // namespace
}  // namespace annelid::simulation
