// Operations of ccl.h in programs that are built with --auto against `annelid run --algorithm
// auto`, with prepared calls on the core: both take the same algorithm, so a program takes as long
// but for what it does before its start and behind its end. And what the program's copies of
// buffers take. Parameter space: every operation, two networks, two lengths of blocks, as far as a
// message goes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/end_to_end/kit_programs.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::end_to_end {
namespace {

struct Case {
  std::string operation, size, bytes;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << c.operation << ' ' << c.size << ' ' << c.bytes;
  }
};

/// The fewest and the most cycles of some starts of a run.
struct RunCycles {
  double fewest = 0, most = 0;
};
/// The nodes of a program begin some cycles apart. Where many messages meet, as in an all-to-all,
/// these cycles change which one goes first, and the whole takes up to a tenth longer. So there are
/// also starts in which the nodes of the run begin as far apart.
RunCycles cycles_of_run(const Workplace& w, const Case& c) {
  const bool combines =
      c.operation == "reduce" || c.operation == "all-reduce" || c.operation == "scan";
  RunCycles cycles;
  for (const char* const skew : {"0", "20"}) {
    const Outcome o =
        w.annelid("run --quiet --algorithm auto --prepared --repeat 3 --operation " + c.operation +
                  " --size " + c.size + " --bytes " + c.bytes + (combines ? " --type uint32" : "") +
                  " --skew " + skew + " --out " + w.path("out").string());
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    const nlohmann::json result = w.result("out");
    for (const auto& start : result["starts"]) {
      const auto taken = start["cycles"].get<double>();
      cycles.most = std::max(cycles.most, taken);
      cycles.fewest = cycles.fewest == 0 ? taken : std::min(cycles.fewest, taken);
    }
  }
  return cycles;
}

/// Prepared, and made at once.
struct ProgramCycles {
  std::uint64_t prepared = 0, ordinary = 0;
};
ProgramCycles cycles_of_program(const Workplace& w, const std::string& elf, const Case& c) {
  const Outcome o = w.annelid("firmware run " + elf + " --quiet --size " + c.size + " -- " +
                              c.operation + " " + c.bytes);
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  ProgramCycles cycles;
  std::istringstream in(o.out.substr(o.out.find(": ") + 2));
  in >> cycles.prepared >> cycles.ordinary;
  return cycles;
}

class TunedCycles : public ::testing::TestWithParam<Case> {};

TEST_P(TunedCycles, OfAProgramAreThoseOfARun) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_cycles.c", " --auto");
  const RunCycles run = cycles_of_run(w, GetParam());
  const auto program = static_cast<double>(cycles_of_program(w, elf, GetParam()).prepared);
  RecordProperty("run", static_cast<int>(run.fewest));
  RecordProperty("program", static_cast<int>(program));
  EXPECT_LE(program, 1.05 * run.most);
  EXPECT_GE(program, 0.95 * run.fewest) << "it does the same";
}

std::vector<Case> cases(const std::vector<std::string>& sizes,
                        const std::vector<std::string>& bytes) {
  std::vector<Case> all;
  for (const std::string& size : sizes) {
    for (const std::string& b : bytes) {
      for (const char* operation : {"broadcast", "reduce", "all-reduce", "scan", "shift"}) {
        all.push_back({operation, size, b});
      }
      if (size == "8x8" && b == "1048576") continue;  // 64 MiB are no message
      for (const char* operation : {"scatter", "gather", "all-gather", "all-to-all"}) {
        all.push_back({operation, size, b});
      }
    }
  }
  return all;
}

#ifdef ANNELID_LARGE_PROGRAMS
INSTANTIATE_TEST_SUITE_P(Large, TunedCycles,
                         ::testing::ValuesIn(cases({"4x4", "8x8"}, {"65536", "1048576"})),
                         test::ParameterName());
#else
INSTANTIATE_TEST_SUITE_P(Small, TunedCycles, ::testing::ValuesIn(cases({"4x4"}, {"65536"})),
                         test::ParameterName());

TEST(TunedPrograms, TakeAtMostFivePercentMoreThanARun) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_cycles.c", " --auto");
  const Case shortest{"all-reduce", "4x4", "65536"};
  EXPECT_LE(static_cast<double>(cycles_of_program(w, elf, shortest).prepared),
            1.05 * cycles_of_run(w, shortest).most);
}

TEST(TunedPrograms, StartsOfAnAllToAllDifferByAboutATenth) {
  const RunCycles run = cycles_of_run(Workplace(), {"all-to-all", "4x4", "65536"});
  EXPECT_GT(run.most, 1.05 * run.fewest);
  EXPECT_LT(run.most, 1.15 * run.fewest);
}

/// What the core does before the start of a prepared operation and behind its end, and the cycles
/// for which the nodes differ.
TEST(TunedPrograms, SyncTakesLittleMoreThanItsMessages) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_cycles.c", " --auto");
  EXPECT_LE(cycles_of_program(w, elf, {"sync", "8x8", "4"}).prepared, 600U);
}
#endif

}  // namespace
}  // namespace annelid::end_to_end
