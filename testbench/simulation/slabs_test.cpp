// One network in several processes: result and recordings are those of one process.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/run_failure.hpp"
#include "simulation/checks/checks.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/run.hpp"
#include "simulation/traffic_run.hpp"
#include "systemc/modules/elaboration.hpp"
#include "testbench/base/scratch.hpp"
#include "testbench/simulation/forked_team.hpp"
#include "testbench/simulation/lying_firmware.hpp"

namespace annelid::simulation {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Values = std::vector<std::pair<std::string, std::string>>;
using Files = std::map<std::string, std::string>;

Settings settings_of(std::vector<Key> keys, const Values& values) {
  Settings settings(std::move(keys));
  for (const auto& [key, text] : values) settings.set(key, text);
  return settings;
}

/// What such a job leaves in the folder in which it runs. A run that fails leaves its error.
Files files_of(int processes, const std::function<void(Exchange*)>& job) {
  const Scratch scratch;
  test::ForkedTeam team(processes);
  EXPECT_TRUE(team.run([&](Exchange* exchange) {
    std::filesystem::current_path(scratch / ".");
    try {
      job(exchange);
    } catch (const RunFailure& failure) {
      std::ofstream("error.txt") << failure.what();
    }
  })) << processes
      << " processes";
  Files files;
  for (const std::string& name : scratch.names()) {
    if (!std::filesystem::is_regular_file(scratch / name)) continue;
    std::string& text = files[name] = scratch.text(name);  // a waveform's save file names the path
    const std::string folder = (scratch / "").string();
    for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos;) {
      text.erase(at, folder.size());
    }
  }
  return files;
}

/// The number of the files of one process. Those of several must be the same.
std::size_t compare(const std::function<void(Exchange*)>& job, std::initializer_list<int> ranks) {
  const Files alone = files_of(1, job);
  for (const int processes : ranks) {
    const Files together = files_of(processes, job);
    for (const auto& [name, text] : alone) {
      const auto found = together.find(name);
      if (found == together.end()) {
        ADD_FAILURE() << "no " << name << " of " << processes << " processes";
      } else {
        EXPECT_TRUE(found->second == text) << name << " of " << processes << " processes differs";
      }
    }
    EXPECT_EQ(together.size(), alone.size());
  }
  return alone.size();
}

std::function<void(Exchange*)> traffic(const Values& values, TrafficOptions options) {
  return [=](Exchange* exchange) mutable {
    options.exchange = exchange;
    options.folder = ".";
    (void)run_traffic(TrafficScenario::from(settings_of(traffic_keys(), values)), options);
  };
}

/// Waveform with its save file, flit log, timeline and trace.
RecordingOptions all_recordings() {
  RecordingOptions options;
  options.wave.file = "run.fst";
  options.wave.nodes = "all";
  options.flit_log = "run.log";
  options.timeline = "run.html";
  options.perfetto = "run.json";
  return options;
}

TrafficOptions recorded(KernelChoice kernel) {
  TrafficOptions options;
  options.recordings = all_recordings();
  options.packets = "packets.csv";
  options.kernel = kernel;
  return options;
}

const Values kShort = {{"traffic.warm_up", "40"}, {"traffic.measure", "160"}};
Values with(Values values, const Values& more) {
  values.insert(values.end(), more.begin(), more.end());
  return values;
}

TEST(Slabs, OfPlanesGiveTheResultOfAllPlanes) {
  const Values values = with(kShort, {{"network.size", "8x9"}, {"traffic.load", "0.3"}});
  EXPECT_EQ(compare(traffic(values, {}), {4}), 1U);
  EXPECT_EQ(compare(traffic(with(values, {{"network.topology", "torus"},
                                          {"router.vcs", "2"},
                                          {"router.stages", "3"},
                                          {"router.link_registers", "2"}}),
                            {}),
                    {2}),
            1U);
}

TEST(Slabs, OfPlanesAreRecordedAsOne) {
  const Values values = with(kShort, {{"network.size", "4x8"},
                                      {"traffic.load", "0.4"},
                                      {"router.link_registers", "1"},
                                      {"router.vcs", "2"}});
  EXPECT_EQ(compare(traffic(values, recorded(KernelChoice::kPlanes)), {3}), 7U);
}

TEST(Slabs, OfRoutersAreRecordedAsOne) {
  const Values values = with(kShort, {{"network.size", "4x8"},
                                      {"network.topology", "torus"},
                                      {"traffic.load", "0.4"},
                                      {"router.link_registers", "3"},
                                      {"router.stages", "4"},
                                      {"router.vcs", "2"}});
  EXPECT_EQ(compare(traffic(values, recorded(KernelChoice::kRouters)), {3}), 7U);
}

// Nearly nothing happens, so that processes sleep, and exchanges are skipped.
TEST(Slabs, ThatSleepAreRecordedAsOne) {
  const Values values =
      with(kShort, {{"network.size", "4x8"}, {"traffic.load", "0.002"}, {"traffic.flits", "2"}});
  EXPECT_EQ(compare(traffic(values, recorded(KernelChoice::kRouters)), {3}), 7U);
}

TEST(Slabs, FindTheSameDeadlock) {
  const Values values = {{"network.size", "4x8"},    {"network.topology", "torus"},
                         {"router.vcs", "1"},        {"router.allow_deadlock", "true"},
                         {"router.depth", "2"},      {"traffic.load", "0.9"},
                         {"traffic.flits", "20"},    {"traffic.warm_up", "50"},
                         {"traffic.measure", "200"}, {"traffic.drain", "2000"}};
  TrafficOptions options;
  options.recordings.flit_log = "run.log";
  EXPECT_EQ(compare(traffic(values, options), {3}), 2U);
}

// Messages wait for those of other nodes, which are often in other processes; some for several,
// some for a message that never enters the network.
TEST(Slabs, PlayATraceAsOne) {
  const Scratch scratch;
  std::string trace = "id,cycle,source,destination,bytes,after\n";
  for (unsigned i = 0; i < 120; ++i) {
    const unsigned source = i * 37 % 32, destination = i % 11 == 0 ? source : i * 23 % 32;
    trace +=
        fmt::format("m{},{},{},{},{},", i, i % 5 == 0 ? i : 0, source, destination, i % 3 * 40);
    if (i > 2) trace += fmt::format("m{}", i - 3);
    if (i > 20 && i % 4 == 0) trace += fmt::format(";m{}", i - 17);
    trace += '\n';
  }
  scratch.put("trace.csv", trace);
  for (const KernelChoice kernel : {KernelChoice::kPlanes, KernelChoice::kRouters}) {
    const Values values = {{"network.size", "4x8"},
                           {"router.link_registers", "2"},
                           {"traffic.trace", (scratch / "trace.csv").string()}};
    EXPECT_EQ(compare(traffic(values, recorded(kernel)), {3}), 7U);
  }
}

std::function<void(Exchange*)> collective(const Values& values, RunOptions options) {
  return [=](Exchange* exchange) mutable {
    options.exchange = exchange;
    options.folder = ".";
    (void)run(Scenario::from(settings_of(run_keys(), values)), options);
  };
}

RunOptions recorded_run() {
  RunOptions options;
  options.recordings = all_recordings();
  return options;
}

TEST(Slabs, OfNicsAreRecordedAsOne) {
  const Values values = {{"network.size", "3x8"},        {"collective.operation", "all-to-all"},
                         {"collective.bytes", "40"},     {"collective.skew", "60"},
                         {"router.link_registers", "2"}, {"firmware", "native"}};
  EXPECT_EQ(compare(collective(values, recorded_run()), {3}), 6U);
}

TEST(Slabs, OfCoresAreRecordedAsOne) {
  RunOptions options = recorded_run();
  options.cores.trace = "run.txt";
  options.cores.profile = "profile.txt";
  const Values values = {
      {"network.size", "2x4"}, {"collective.operation", "broadcast"}, {"collective.bytes", "64"}};
  EXPECT_EQ(compare(collective(values, options), {2}), 8U);
}

TEST(Slabs, OfNicsFindTheSameDeadlock) {
  const Values values = {{"network.size", "2x8"},
                         {"network.topology", "torus"},
                         {"router.vcs", "1"},
                         {"router.allow_deadlock", "true"},
                         {"collective.operation", "all-to-all"},
                         {"collective.bytes", "2000"},
                         {"collective.skew", "900"},
                         {"firmware", "native"}};
  RunOptions options = recorded_run();
  options.recordings.wave.trigger = "failure";
  EXPECT_EQ(compare(collective(values, options), {3}), 6U);
}

// The members are in other processes than the one that says it.
TEST(Slabs, SayWhoSaidWhatInCallsThatDiffer) {
  const auto error_of = [](const char* group, const char* differs, int processes) {
    const Values values = {{"network.size", "2x8"},
                           {"collective.operation", "reduce"},
                           {"collective.algorithm", "binomial"},
                           {"collective.bytes", "16"},
                           {"collective.develop", "true"},
                           {"collective.group", group},
                           {"collective.differs", differs},
                           {"firmware", "native"}};
    return files_of(processes, collective(values, {}))["error.txt"];
  };
  using ::testing::StartsWith;
  const std::string ended = error_of("row 6", "1,6 root 1", 1);
  EXPECT_EQ(ended, "node 1,6: the call differs: root 1 here, root 0 at node 0,6");
  EXPECT_EQ(error_of("row 6", "1,6 root 1", 4), ended);
  const std::string stalled = error_of("0,0..1,7 columns-first", "1,7 group 0", 1);
  EXPECT_THAT(stalled, StartsWith("node 1,7: the call differs: group ALL here, group "));
  EXPECT_EQ(error_of("0,0..1,7 columns-first", "1,7 group 0", 3), stalled);
  const std::string refused = error_of("row 6", "1,6 group 7", 1);
  EXPECT_THAT(refused, StartsWith("node 1,6: the firmware refused the call with result NO_SUCH"));
  EXPECT_EQ(error_of("row 6", "1,6 group 7", 4), refused);
}

// The last node corrupts its memory, and sends node 0 a message, long after its last call.
TEST(Slabs, SeeWhatNodesDoAfterTheirLastCall) {
  const auto job = [](Exchange* exchange) {
    const Scenario s = Scenario::from(settings_of(
        run_keys(),
        {{"network.size", "2x8"}, {"collective.bytes", "200"}, {"firmware", "native"}}));
    const std::vector<reference::Inputs> inputs = inputs_of(s);
    const systemc::Elaboration elaboration;
    Simulation simulation(s, nullptr, {}, plan_memory(s).end, exchange);
    const NodeId liar = s.network.nodes() - 1;
    if (simulation.slab().has(liar)) {
      const auto lie = [](nic::Nic& nic) {
        const std::byte value{};
        nic.write_memory(4096, {&value, 1});
        Scripted::send(nic, 0, 100, 9);
      };
      simulation.nic(liar).load(std::make_unique<OnBus>(
          std::make_unique<LaterThanTheEnd>(simulation.nic(liar), 3000, lie)));
    }
    Progress silent;
    simulation.run(inputs, silent);
    if (simulation.slab().process > 0) return check_own_memory(simulation, s, inputs);
    std::ofstream out("checks.txt");
    for (const Check& check : checked_result(s, simulation, inputs).checks) {
      out << check.name << (check.verdict == Verdict::kFailed ? " failed: " : ": ") << check.detail
          << '\n';
    }
  };
  EXPECT_EQ(compare(job, {2, 4}), 1U);
  EXPECT_THAT(files_of(2, job)["checks.txt"],
              AllOf(HasSubstr("bytes failed: node (1,7): the memory behind all buffers"),
                    HasSubstr("schedule failed: "), HasSubstr("calls failed: "),
                    HasSubstr("network failed: ")));
}

}  // namespace
}  // namespace annelid::simulation
