// Runs in process, as another program makes them. State space: a payload and random contents,
// settings that are changed and read again, files that are asked for and not, runs that come to no
// end, traffic and a trace, firmware that traps and that ends well.
#include "simulation/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/new_file.hpp"
#include "base/run_failure.hpp"
#include "simulation/traffic_run.hpp"
#include "simulation/traffic_simulation.hpp"
#include "systemc/modules/elaboration.hpp"
#include "traffic/synthetic.hpp"

namespace annelid::simulation {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Folder {
 public:
  [[nodiscard]] fs::path operator/(const std::string& name) const { return folder_.path() / name; }
  [[nodiscard]] bool empty() const { return fs::is_empty(folder_.path()); }

 private:
  TemporaryFolder folder_;
};

Settings small() {
  Settings settings(run_keys());
  settings.set("network.size", "3x2");
  settings.set("firmware", "native");
  return settings;
}

template <typename Error, typename Action>
std::string thrown(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Run, ReturnsACheckedResultAndWritesNothingUnlessAsked) {
  const Folder folder;
  fs::current_path(folder / "");
  const RunResult result = run(Scenario::from(small()));
  EXPECT_TRUE(result.passed());
  EXPECT_EQ(result.call().nodes_verified, 6U);
  EXPECT_EQ(result.messages(), 5U);
  EXPECT_GT(result.cycles, 0U);
  EXPECT_TRUE(result.file.empty());
  EXPECT_TRUE(result.recorded.flit_log.empty());
  EXPECT_TRUE(folder.empty());
}

TEST(Run, WritesWhatIsAskedForAndNamesIt) {
  const Folder folder;
  RunOptions options;
  options.folder = folder / "out";
  options.recordings.flit_log = (folder / "flits.log").string();
  options.recordings.wave.file = (folder / "run.fst").string();
  options.recordings.wave.trigger = "failure";
  const RunResult result = run(Scenario::from(small()), options);
  EXPECT_EQ(result.file, folder / "out/result.json");
  EXPECT_EQ(read_text(result.file), to_json(result));
  EXPECT_EQ(result.recorded.flit_log, folder / "flits.log");
  EXPECT_TRUE(fs::exists(result.recorded.flit_log));
  EXPECT_EQ(result.recorded.awaited, "failure");
  EXPECT_TRUE(result.recorded.wave.empty());
  EXPECT_FALSE(fs::exists(folder / "run.fst"));
}

TEST(Run, ThatComesToNoEndThrowsAndLeavesItsRecordings) {
  const Folder folder;
  Settings settings = small();
  settings.set("limits.cycles", "3");
  RunOptions options;
  options.folder = folder / "out";
  options.recordings.flit_log = (folder / "flits.log").string();
  const Scenario scenario = Scenario::from(settings);
  EXPECT_THAT(thrown<RunFailure>([&] { (void)run(scenario, options); }), HasSubstr("cycle limit"));
  EXPECT_TRUE(fs::exists(folder / "flits.log"));
  EXPECT_FALSE(fs::exists(folder / "out/result.json"));
}

TEST(Run, TellsItsProgressAndClearsIt) {
  class Listener : public Progress {
   public:
    void show(std::string_view) override { ++shown; }
    void clear() override { cleared = true; }
    int shown = 0;
    bool cleared = false;
  } listener;
  Settings settings = small();
  settings.set("collective.bytes", "400000");
  (void)run(Scenario::from(settings), {}, listener);
  EXPECT_GT(listener.shown, 0);
  EXPECT_TRUE(listener.cleared);
}

TEST(AScenario, IsCompleteWhenItHasBeenRead) {
  const Folder folder;
  std::ofstream(folder / "payload") << std::string(50'000, 'x');
  Settings settings = small();
  settings.set("collective.algorithm", "auto");
  const Scenario random = Scenario::from(settings);
  EXPECT_EQ(random.call().collective.bytes, 64U);
  settings.set("collective.payload", (folder / "payload").string());
  const Scenario scenario = Scenario::from(settings);
  EXPECT_EQ(scenario.call().collective.bytes, 50'000U);
  EXPECT_EQ(scenario.call().contents.size(), 50'000U);
  // The choice of auto is that for so many bytes.
  settings.unset("collective.payload");
  settings.set("collective.bytes", "50000");
  EXPECT_EQ(scenario.call().collective.algorithm,
            Scenario::from(settings).call().collective.algorithm);
  EXPECT_NE(scenario.call().collective.algorithm, random.call().collective.algorithm);
  EXPECT_TRUE(run(scenario).passed());
}

TEST(AScenario, ThatAMissingPayloadOrAnUndividedOneIsRefused) {
  const Folder folder;
  std::ofstream(folder / "payload") << "12345";
  Settings settings = small();
  settings.set("collective.operation", "scatter");
  settings.set("collective.payload", (folder / "payload").string());
  EXPECT_THAT(thrown<InputError>([&] { (void)Scenario::from(settings); }),
              HasSubstr("a multiple of 6"));
  settings.set("collective.payload", (folder / "none").string());
  EXPECT_THAT(thrown<InputError>([&] { (void)Scenario::from(settings); }), HasSubstr("none"));
}

TEST(Settings, AreChangedByKeyAndReadAgain) {
  const Folder folder;
  std::ofstream(folder / "payload") << "12345";
  std::ofstream(folder / "s.toml") << "firmware = \"native\"\n[network]\nsize = [3, 2]\n"
                                      "[collective]\npayload = \"payload\"\n";
  const Scenario read = Scenario::read(folder / "s.toml", {});
  EXPECT_EQ(read.call().collective.bytes, 5U);
  Settings settings = read.settings;
  settings.set("network.size", "4x4");
  settings.set("collective.bytes", "32");  // wins over the file's payload
  const Scenario changed = Scenario::from(settings);
  EXPECT_EQ(changed.network.nodes(), 16U);
  EXPECT_EQ(changed.call().collective.bytes, 32U);
  EXPECT_TRUE(changed.call().payload.empty());
  EXPECT_EQ(read.network.nodes(), 6U);
}

TEST(Settings, RefuseUnknownKeysAndTextOfAnotherType) {
  Settings settings = small();
  EXPECT_THAT(thrown<InputError>([&] { settings.set("router.vc", "2"); }),
              HasSubstr("router.vc: found an unknown key"));
  EXPECT_THAT(thrown<InputError>([&] { settings.set("router.vcs", "two"); }),
              HasSubstr("router.vcs: found \"two\", expected an integer"));
}

TEST(RunTraffic, MeasuresSyntheticTraffic) {
  Settings settings(traffic_keys());
  settings.set("network.size", "4x4");
  settings.set("traffic.measure", "500");
  const TrafficResult result = run_traffic(TrafficScenario::from(settings));
  ASSERT_TRUE(result.synthetic);
  EXPECT_FALSE(result.trace);
  EXPECT_TRUE(result.synthetic->measured.drained);
  EXPECT_THAT(result.synthetic->measured.channels.outputs(),
              ::testing::Contains(::testing::Gt(0U)));
  EXPECT_GT(result.synthetic->measured.packets, 0U);
  const auto json = nlohmann::json::parse(to_json(result));
  EXPECT_EQ(json.at("packets").get<std::uint64_t>(), result.synthetic->measured.packets);
}

// Nothing else shows which planes have run: all give the same results.
TEST(RunTraffic, TakesTheKernelThatIsNamed) {
  const auto planes = [](KernelChoice kernel) {
    const systemc::Elaboration elaboration;
    const TrafficScenario scenario = TrafficScenario::from(Settings(traffic_keys()));
    const TrafficOptions options{.kernel = kernel};
    traffic::SyntheticWorkload workload(scenario.synthetic, scenario.network);
    TrafficSimulation simulation(scenario, options, nullptr, workload);
    simulation.fabric().run_until(1);
    return simulation.network().planes();
  };
  EXPECT_EQ(planes(KernelChoice::kRouters), "");
  EXPECT_EQ(planes(KernelChoice::kAutomatic), name_of(systemc::PlaneBackend::kBest));
  EXPECT_EQ(planes(KernelChoice::kPlanes), name_of(systemc::PlaneBackend::kBest));
  EXPECT_EQ(planes(KernelChoice::kPlanesBaseline), name_of(systemc::PlaneBackend::kBaseline));
  Settings settings(traffic_keys());
  settings.set("traffic.measure", "1");
  const TrafficScenario scenario = TrafficScenario::from(settings);
  for (const auto& [kernel, backend] :
       {std::pair(KernelChoice::kPlanesAvx2, systemc::PlaneBackend::kAvx2),
        std::pair(KernelChoice::kPlanesAvx512, systemc::PlaneBackend::kAvx512)}) {
    if (!name_of(backend).empty()) {
      EXPECT_EQ(planes(kernel), name_of(backend));
    } else {
      const TrafficOptions options{.kernel = kernel};
      EXPECT_THAT(thrown<InputError>([&] { (void)run_traffic(scenario, options); }),
                  HasSubstr("this processor lacks the instructions"));
    }
  }
}

TEST(RunTraffic, PlaysATraceToItsEnd) {
  const Folder folder;
  Settings settings(traffic_keys());
  settings.set("network.size", "4x4");
  settings.set("traffic.trace", ANNELID_SOURCE_DIR "/scenarios/trace-gather-scatter.csv");
  TrafficOptions options;
  options.packets = folder / "packets.csv";
  options.folder = folder / "out";
  const TrafficResult result = run_traffic(TrafficScenario::from(settings), options);
  ASSERT_TRUE(result.trace);
  EXPECT_TRUE(result.trace->done());
  EXPECT_EQ(read_text(result.file), to_json(result));
  EXPECT_TRUE(fs::exists(result.packets));
}

TEST(RunTraffic, ThatDeadlocksThrows) {
  Settings settings(traffic_keys());
  settings.set("network.size", "8");
  settings.set("network.topology", "torus");
  settings.set("router.allow_deadlock", "true");
  settings.set("router.vcs", "1");
  settings.set("traffic.load", "0.5");
  const TrafficScenario scenario = TrafficScenario::from(settings);
  EXPECT_THAT(thrown<RunFailure>([&] { (void)run_traffic(scenario); }), HasSubstr("deadlock"));
}

}  // namespace
}  // namespace annelid::simulation
