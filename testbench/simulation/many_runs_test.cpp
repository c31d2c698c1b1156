// Many simulations in one process, one after the other.
#include <gmock/gmock.h>
#include <malloc.h>
#include <unistd.h>

#include <fstream>

#include "base/run_failure.hpp"
#include "simulation/run.hpp"
#include "systemc/modules/elaboration.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/sanitized.hpp"

namespace annelid::simulation {
namespace {

/// Memory of this process that is in use, in KiB: what the allocator keeps for later does not
/// count.
std::size_t memory_in_use() { return mallinfo2().uordblks / 1024; }

/// Memory of this process that the machine holds, in KiB.
std::size_t resident_memory() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

Scenario scenario_with(const std::string& vcs) {
  Settings settings(run_keys());
  settings.set("network.size", "4x4");
  settings.set("router.vcs", vcs);
  settings.set("firmware", "native");
  settings.set("collective.operation", "all-reduce");
  settings.set("collective.algorithm", "recursive-doubling");
  settings.set("collective.bytes", "256");
  return Scenario::from(settings);
}

TEST(ManyRuns, OfOneProcessGiveTheResultOfTheFirstAndKeepNoMemory) {
  const Scenario one = scenario_with("1"), two = scenario_with("2");
  const std::string first = to_json(run(one)), second = to_json(run(two));
  EXPECT_NE(first, second);
  std::size_t in_use = 0, resident = 0;
  for (int i = 0; i < 98; ++i) {
    if (i == 8) {  // ten runs so far: all that is made once has been made
      in_use = memory_in_use();
      resident = resident_memory();
    }
    ASSERT_EQ(to_json(run(i % 2 == 0 ? one : two)), i % 2 == 0 ? first : second) << "run " << i + 2;
  }
  RecordProperty("in_use_kib", static_cast<int>(memory_in_use() - in_use));
  RecordProperty("resident_kib", static_cast<int>(resident_memory() - resident));
#ifndef ANNELID_SANITIZED  // which keeps what was freed, and finds leaks by itself
  EXPECT_LE(memory_in_use(), in_use + 90 * 4) << "more than 4 KiB for each of 90 runs";
  EXPECT_LE(resident_memory(), resident + 2048);
#endif
}

TEST(ManyRuns, ARunThatFailsLeavesNothingBehind) {
  Scenario scenario = scenario_with("1");
  const std::string result = to_json(run(scenario));
  Scenario hasty = scenario;
  hasty.cycle_limit = 10;
  EXPECT_THROW((void)run(hasty), RunFailure);
  EXPECT_EQ(to_json(run(scenario)), result);
}

TEST(ManyElaborations, StartAtTime0WithTheSameNamesAndMayNest) {
  for (int i = 0; i < 3; ++i) {
    const systemc::Elaboration outer;
    systemc::Fabric fabric("fabric");
    systemc::Network network("network", fabric, {{2, 2, 1}, {}});
    fabric.run_until(10);
    sc_core::sc_start(10, sc_core::SC_NS);
    const sc_core::sc_time time = sc_core::sc_time_stamp();
    {
      const systemc::Elaboration inner;
      EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
      systemc::Fabric same_name("fabric");
      EXPECT_STREQ(same_name.name(), "fabric");
      sc_core::sc_start(5, sc_core::SC_NS);
      EXPECT_EQ(same_name.now(), 5u);
    }
    EXPECT_EQ(sc_core::sc_time_stamp(), time);
    sc_core::sc_start(5, sc_core::SC_NS);
    EXPECT_STREQ(fabric.name(), "fabric");
  }
}

}  // namespace
}  // namespace annelid::simulation
