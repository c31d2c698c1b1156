// What a run takes of this computer's memory against what was estimated before it, and what is
// refused. State space: native firmware and cores; one message for each node and one for each pair;
// short and long blocks; one and many virtual channels; limits of the computer, of control groups
// of both versions, of the groups above, and none.
#include "simulation/machine/memory_estimate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/input_error.hpp"
#include "simulation/run.hpp"
#include "simulation/traffic_run.hpp"
#include "testbench/sanitized.hpp"

namespace annelid::simulation {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

Scenario scenario_of(const std::vector<std::pair<std::string, std::string>>& values) {
  Settings settings(run_keys());
  for (const auto& [key, value] : values) settings.set(key, value);
  return Scenario::from(settings);
}

/// The peak of a process that makes the run, without what it had before, in bytes.
template <typename Run>
std::uint64_t peak_of(const Run& run) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe");
  const pid_t child = fork();
  if (child == 0) {
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    bool passed = run();
    getrusage(RUSAGE_SELF, &after);
    const std::uint64_t bytes =
        passed ? static_cast<std::uint64_t>(after.ru_maxrss - before.ru_maxrss) * 1024 : 0;
    passed = write(ends[1], &bytes, sizeof bytes) == sizeof bytes;
    _exit(passed ? 0 : 1);
  }
  std::uint64_t bytes = 0;
  const bool got = read(ends[0], &bytes, sizeof bytes) == sizeof bytes;
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  if (!got) throw std::runtime_error("no answer");
  return bytes;
}

TEST(MemoryEstimate, IsWithinItsBoundOfWhatRunsTake) {
#ifdef ANNELID_SANITIZED
  GTEST_SKIP() << "memory is measured without sanitizers";
#endif
  const std::vector<std::vector<std::pair<std::string, std::string>>> configurations = {
      {{"network.size", "16x16"}, {"firmware", "native"}},
      {{"network.size", "32x32"}},
      {{"network.size", "16x16"}, {"firmware", "native"}, {"router.vcs", "4"}},
      {{"network.size", "16x16"}, {"firmware", "native"}, {"router.local_ports", "1"}},
      {{"network.size", "16x16"}, {"firmware", "native"}, {"collective.bytes", "50000"}},
      {{"network.size", "16x16"}, {"firmware", "native"}, {"collective.operation", "all-gather"}},
      {{"network.size", "12x12"}, {"firmware", "native"}, {"collective.operation", "all-to-all"}},
      {{"network.size", "16x16"}, {"firmware", "native"}, {"collective.operation", "barrier"}},
      {{"network.size", "16x16"},
       {"firmware", "native"},
       {"collective.operation", "gather"},
       {"collective.bytes", "1024"}},
      {{"network.size", "16x16"},
       {"firmware", "native"},
       {"collective.operation", "reduce"},
       {"collective.bytes", "4096"}}};
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    const Scenario scenario = scenario_of(configurations[i]);
    const auto estimate = static_cast<double>(estimate_memory(scenario).total());
    const auto peak = static_cast<double>(peak_of([&] { return run(scenario).passed(); }));
    EXPECT_GT(peak, 0) << i;
    EXPECT_LT(peak, 1.6 * estimate) << i;
    EXPECT_GT(peak, estimate / 1.6) << i;
    RecordProperty("configuration_" + std::to_string(i), std::to_string(estimate / peak));
  }
}

TrafficScenario traffic_of(const std::vector<std::pair<std::string, std::string>>& values) {
  Settings settings(traffic_keys());
  for (const auto& [key, value] : values) settings.set(key, value);
  for (const auto& [key, value] :
       {std::pair{"traffic.load", "0.01"}, {"traffic.warm_up", "50"}, {"traffic.measure", "50"}}) {
    settings.set(key, value);
  }
  return TrafficScenario::from(settings);
}

TEST(MemoryEstimate, OfTrafficIsWithinItsBoundInPlanesAndInRouters) {
#ifdef ANNELID_SANITIZED
  GTEST_SKIP() << "memory is measured without sanitizers";
#endif
  struct Case {
    const char* size;
    const char *local_ports, *vcs, *depth;
    KernelChoice kernel;
  };
  for (const auto& [size, local_ports, vcs, depth, kernel] :
       {Case{"128x128", "1", "1", "4", KernelChoice::kPlanes},
        Case{"128x128", "4", "2", "8", KernelChoice::kPlanes},
        Case{"64x64", "1", "4", "4", KernelChoice::kRouters},
        Case{"64x64", "4", "1", "8", KernelChoice::kRouters}}) {
    SCOPED_TRACE(std::string(size) + ", " + local_ports + " local ports, " + vcs + " VCs");
    const auto with_size = [&, l = local_ports, v = vcs, d = depth](const char* s) {
      return traffic_of(
          {{"network.size", s}, {"router.local_ports", l}, {"router.vcs", v}, {"router.depth", d}});
    };
    const TrafficScenario large = with_size(size), small = with_size("2x2");
    TrafficOptions options;
    options.kernel = kernel;
    const auto runs = [&](const TrafficScenario& s) {
      return peak_of([&] { return run_traffic(s, options).synthetic.has_value(); });
    };
    const auto peak = static_cast<double>(runs(large) - runs(small));
    const auto estimate = static_cast<double>(
        estimate_memory(large.network, kernel == KernelChoice::kPlanes).total());
    EXPECT_LT(peak, 1.6 * estimate);
    EXPECT_GT(peak, estimate / 1.6);
  }
}

TEST(MemoryEstimate, GrowsWithNodesAsMeasuredOnLargeNetworks) {
  const auto gib = [](const std::vector<std::pair<std::string, std::string>>& values) {
    return static_cast<double>(estimate_memory(scenario_of(values)).total()) / (1 << 30);
  };
  const double native = gib({{"network.size", "128x128"}, {"firmware", "native"}});
  EXPECT_GT(native, 0.51 / 1.6);  // measured: 532,540 KB
  EXPECT_LT(native, 0.51 * 1.6);
  const double cores = gib({{"network.size", "128x128"}});
  EXPECT_GT(cores, 1.99 / 1.6);  // measured: 2,090,332 KB
  EXPECT_LT(cores, native + 1.5);
}

TEST(MemoryEstimate, IsMadeBeforeAnyRunAndRefusesIt) {
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  const auto refused = [&](const auto& run) -> std::string {
    std::ifstream statm("/proc/self/statm");
    std::uint64_t pages = 0;
    statm >> pages;
    const rlimit limited{
        pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + (std::uint64_t{200} << 20),
        before.rlim_max};
    setrlimit(RLIMIT_AS, &limited);
    std::string text;
    try {
      run();
    } catch (const InputError& error) {
      text = error.what();
    }
    setrlimit(RLIMIT_AS, &before);
    return text;
  };
  const Scenario scenario = scenario_of({{"network.size", "64x64"}});
  EXPECT_THAT(refused([&] { (void)run(scenario); }),
              AllOf(HasSubstr("network.size: found a run that takes about "), HasSubstr("cores "),
                    HasSubstr("ulimit -v leaves: --firmware native, or fewer nodes (--size)")));
  Settings settings(traffic_keys());
  settings.set("network.size", "256x256");
  const TrafficScenario traffic = TrafficScenario::from(settings);
  TrafficOptions by_routers;  // planes would fit
  by_routers.kernel = KernelChoice::kRouters;
  EXPECT_THAT(refused([&] { (void)run_traffic(traffic, by_routers); }),
              HasSubstr("fewer nodes (--size)"));
}

std::string refusal(const MemoryEstimate& estimate, const AvailableMemory& available) {
  try {
    require_memory(estimate, "--size", available);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MemoryEstimate, IsRefusedWithTheFigureAndWhatLowersIt) {
  MemoryEstimate e;
  e.nics = std::uint64_t{1} << 30;
  EXPECT_EQ(refusal(e, {std::uint64_t{1} << 30, "this computer has free"}), "");
  const std::uint64_t less = (std::uint64_t{1} << 30) - 1;
  EXPECT_THAT(
      refusal(e, {less, "this computer has free"}),
      AllOf(HasSubstr("--size: found a run that takes about 1.0 GiB"), HasSubstr("1024 MiB"),
            HasSubstr("which this computer has free: fewer nodes (--size)")));
  e.cores = 2 * e.nics;
  EXPECT_THAT(refusal(e, {less, "ulimit -v leaves"}),
              AllOf(HasSubstr("3.0 GiB"), HasSubstr("ulimit -v leaves: --firmware native")));
  e.node_memory = 3 * e.nics;
  EXPECT_THAT(refusal(e, {less, ""}), HasSubstr("less --bytes"));
  e.messages = 4 * e.nics;
  EXPECT_THAT(refusal(e, {less, ""}), HasSubstr("fewer messages"));
}

class Limits : public ::testing::Test {
 protected:
  Limits() { fs::create_directories(folder_ / "proc/self"); }
  ~Limits() override { fs::remove_all(folder_); }
  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] std::string found() const {
    const auto available = available_memory(folder_ / "proc", folder_ / "cgroup");
    return available ? std::to_string(available->bytes) + " " + available->limit : "none";
  }
  const fs::path folder_ =
      fs::temp_directory_path() / ("annelid-limits-" + std::to_string(getpid()));
};

TEST_F(Limits, AreThoseOfTheComputerAndOfAllGroups) {
  EXPECT_EQ(found(), "none");
  put("proc/meminfo", "MemTotal:  9 kB\nMemAvailable:     8 kB\n");
  EXPECT_EQ(found(), "8192 this computer has free");
  put("proc/self/cgroup", "0::/a/b\n");
  EXPECT_EQ(found(), "8192 this computer has free");
  put("cgroup/a/b/memory.current", "1000\n");
  put("cgroup/a/b/memory.max", "max\n");
  EXPECT_EQ(found(), "8192 this computer has free");
  put("cgroup/a/b/memory.max", "5000\n");
  EXPECT_EQ(found(), "4000 the control group leaves");
  put("cgroup/a/memory.current", "1500\n");
  put("cgroup/a/memory.max", "2000\n");
  EXPECT_EQ(found(), "500 the control group leaves");
  put("proc/self/cgroup", "3:cpu:/a\n5:memory:/c\n");
  put("cgroup/memory/c/memory.usage_in_bytes", "10");
  put("cgroup/memory/c/memory.limit_in_bytes", "30");
  EXPECT_EQ(found(), "20 the control group leaves");
}

TEST_F(Limits, OfTheAddressSpaceCountWhatIsUsed) {
  put("proc/meminfo", "MemAvailable:  99999999999 kB\n");
  put("proc/self/status", "Name: x\nVmSize:  1048576 kB\n");
  rlimit before{};
  getrlimit(RLIMIT_AS, &before);
  const rlimit limited{std::uint64_t{3} << 30, before.rlim_max};
  setrlimit(RLIMIT_AS, &limited);
  EXPECT_EQ(found(), std::to_string(std::uint64_t{2} << 30) + " ulimit -v leaves");
  setrlimit(RLIMIT_AS, &before);
}

}  // namespace
}  // namespace annelid::simulation
