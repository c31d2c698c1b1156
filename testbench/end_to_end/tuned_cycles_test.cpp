// Operations of ccl.h in programs that are built with --auto against `annelid run --algorithm
// auto`, with prepared calls on the core: both take the same algorithm, so a program takes as long
// but for what it does before its start and behind its end. And what the program's copies of
// buffers take. Parameter space: every operation, two networks, two lengths of blocks, as far as a
// message goes.
#include <gtest/gtest.h>

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

std::uint64_t cycles_of_run(const Workplace& w, const Case& c) {
  const bool combines =
      c.operation == "reduce" || c.operation == "all-reduce" || c.operation == "scan";
  const Outcome o =
      w.annelid("run --quiet --algorithm auto --prepared --repeat 2 --operation " + c.operation +
                " --size " + c.size + " --bytes " + c.bytes + (combines ? " --type uint32" : "") +
                " --out " + w.path("out").string());
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  return w.result("out")["starts"][1]["cycles"].get<std::uint64_t>();
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
  const auto run = static_cast<double>(cycles_of_run(w, GetParam()));
  const ProgramCycles program = cycles_of_program(w, elf, GetParam());
  RecordProperty("run", static_cast<int>(run));
  RecordProperty("program", static_cast<int>(program.prepared));
  EXPECT_LE(static_cast<double>(program.prepared), 1.05 * run);
  EXPECT_GE(static_cast<double>(program.prepared), 0.95 * run) << "it does the same";
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
            1.05 * static_cast<double>(cycles_of_run(w, shortest)));
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
