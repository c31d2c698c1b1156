// annelid firmware build --native: the same programs on the host give the same results, and each
// node has variables of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "testbench/end_to_end/kit_programs.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string built_native(const Workplace& w, const std::string& source) {
  const std::string file = w.path("built.so").string();
  const Outcome o = w.annelid("firmware build --native " + source + " -o " + file);
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "") << "no warnings";
  return file;
}

/// Lines come in the order of cycles, which native code does not take.
std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  std::ranges::sort(lines);
  return lines;
}

struct Case {
  const char* name;
  const char* source;
  std::vector<const char*> runs;
};
class NativeProgram : public ::testing::TestWithParam<Case> {};

TEST_P(NativeProgram, GivesTheResultsOfTheCore) {
  const Workplace w;
  const std::string source = std::string(ANNELID_SOURCE_DIR) + "/" + GetParam().source;
  const std::string native = built_native(w, source), elf = built(w, source);
  for (const char* run : GetParam().runs) {
    const Outcome there = w.annelid("firmware run " + elf + " --quiet --size " + run);
    const Outcome here = w.annelid("firmware run --native " + native + " --quiet --size " + run);
    EXPECT_EQ(here.status, 0) << run << "\n" << here.out << here.err;
    EXPECT_EQ(there.status, 0) << run << "\n" << there.out << there.err;
    EXPECT_EQ(sorted_lines(here.out), sorted_lines(there.out)) << run;
    EXPECT_EQ(sorted_lines(here.err), sorted_lines(there.err)) << run;
  }
}

INSTANTIATE_TEST_SUITE_P(
    , NativeProgram,
    ::testing::Values(
        Case{"hello", "examples/programs/hello.c", {"4x2 -- hi", "1"}},
        Case{"matrix_vector", "examples/programs/matrix_vector.c", {"4x4 -- 32"}},
        Case{"groups", "examples/programs/groups.c", {"7x1"}},
        Case{"heat", "examples/programs/heat.c", {"3x2 -- 12 9"}},
        Case{"sample_sort", "examples/programs/sample_sort.cpp", {"4x4 -- 24"}},
        Case{"conjugate_gradients", "examples/programs/conjugate_gradients.c", {"4x4 -- 24"}},
        Case{"intercom_operations",
             "testbench/end_to_end/programs/intercom_operations.c",
             {"5x3 -- 3 10"}},
        Case{"ccl_operations",
             "testbench/end_to_end/programs/ccl_operations.c",
             {"5x3 -- 2 6", "4x2 --develop --mode non-barrier --eager-bytes 0 -- 1 3"}},
        Case{"ccl_barriers", "testbench/end_to_end/programs/ccl_barriers.c", {"2x2 -- 12"}},
        Case{"ccl_grids", "testbench/end_to_end/programs/ccl_grids.c", {"6x4"}},
        Case{"ccl_calls", "testbench/end_to_end/programs/ccl_calls.cpp", {"4x4", "5x3"}},
        Case{"ccl_mistakes",
             "testbench/end_to_end/programs/ccl_mistakes.c",
             {"3x2 --develop -- orig", "3x2 --develop -- group"}},
        Case{"calls", "testbench/end_to_end/programs/calls.cpp", {"4x4"}}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(NativePrograms, EachNodeHasItsOwnVariables) {
  const Workplace w;
  const std::string file = built_native(
      w, w.file("variables.cpp",
                "#include <nic.h>\n"
                "#include <stdio.h>\n"
                "struct Number { Number() : value(nic_node() + 40) {} unsigned value; };\n"
                "static Number made;\n"
                "inline unsigned shared_by_sources = 5;\n"
                "template <typename T> T of_a_template = 7;\n"
                "static unsigned counter = 3;\n"
                "NIC_MEMORY static unsigned in_node_memory[5000];\n"
                "int main() {\n"
                "  unsigned next = 0;\n"
                "  const unsigned nodes = nic_nodes(), me = nic_node();\n"
                "  for (unsigned i = 0; i <= me; ++i) {\n"
                "    ++counter, ++shared_by_sources, ++of_a_template<unsigned>;\n"
                "  }\n"
                "  in_node_memory[4999] += me;\n"
                "  nic_send_receive((me + 1) % nodes, &counter, (me + nodes - 1) % nodes, &next,\n"
                "                   sizeof next, 1);\n"
                "  printf(\"%u %u %u %u %u %u\\n\", made.value, counter, shared_by_sources,\n"
                "         of_a_template<unsigned>, in_node_memory[4999], next);\n"
                "  return 0;\n"
                "}\n"));
  const Outcome o = w.annelid("firmware run --native " + file + " --size 3x1 --quiet");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(sorted_lines(o.out), ::testing::ElementsAre("0,0: 40 4 6 8 0 6", "1,0: 41 5 7 9 1 4",
                                                          "2,0: 42 6 8 10 2 5"));
  EXPECT_EQ(w.annelid("firmware run --native " + file + " --size 3x1 --quiet").out, o.out)
      << "again";
}

/// What a program gives on the core and natively.
struct BothBuilds {
  Outcome core, native;
};
BothBuilds run_both(const Workplace& w, const std::string& source) {
  return {w.annelid("firmware run " + built(w, source) + " --quiet"),
          w.annelid("firmware run --native " + built_native(w, source) + " --quiet")};
}

TEST(ProgramsOfCxx, StaticObjectsAreDestroyedInTheOrderOfCxx) {
  const Workplace w;
  const BothBuilds o =
      run_both(w, w.file("ends.cpp",
                         "#include <cstdio>\n#include <cstdlib>\n"
                         "struct Told {\n"
                         "  const char* name;\n"
                         "  explicit Told(const char* n) : name(n) { printf(\"+%s\\n\", name); }\n"
                         "  ~Told() { printf(\"-%s\\n\", name); }\n"
                         "};\n"
                         "Told first(\"first\"), second(\"second\");\n"
                         "void late() { puts(\"added at the end\"); }\n"
                         "void handler() { puts(\"handler\"); atexit(late); }\n"
                         "__attribute__((destructor)) void last() { puts(\"last\"); }\n"
                         "int main(int argc, char**) {\n"
                         "  static Told local(\"local\");\n"
                         "  atexit(handler);\n"
                         "  static Told later(\"later\");\n"
                         "  if (argc > 1) std::exit(0);\n"
                         "  return 0;\n"
                         "}\n"));
  std::string expected;
  for (const char* line : {"+first", "+second", "+local", "+later", "-later", "handler",
                           "added at the end", "-local", "-second", "-first", "last"}) {
    expected += std::string("0,0: ") + line + "\n";
  }
  for (const Outcome& end : {o.core, o.native}) {
    EXPECT_EQ(end.status, 0) << end.err;
    EXPECT_EQ(end.out, expected);
  }
  EXPECT_EQ(w.annelid("firmware run " + w.path("built.elf").string() + " --quiet -- exit").out,
            expected);
}

TEST(ProgramsOfCxx, ClassesHaveVirtualDestructorsAndPureFunctions) {
  const Workplace w;
  const BothBuilds good =
      run_both(w, w.file("virtual.cpp",
                         "struct Base { virtual int f() = 0; virtual ~Base() {} };\n"
                         "struct Derived : Base { int f() override { return 1; } };\n"
                         "Derived d;\n"
                         "Base* volatile b = &d;\n"
                         "int main() { return b->f() == 1 ? 0 : 1; }\n"));
  EXPECT_EQ(good.core.status, 0) << good.core.err;
  EXPECT_EQ(good.native.status, 0) << good.native.err;
  const BothBuilds pure =
      run_both(w, w.file("pure.cpp",
                         "struct Base;\n"
                         "int call(Base* b);\n"
                         "struct Base {\n"
                         "  Base() { call(this); }\n"
                         "  virtual int f() = 0;\n"
                         "};\n"
                         "[[gnu::noinline]] int call(Base* b) { return b->f(); }\n"
                         "struct Derived : Base { int f() override { return 1; } };\n"
                         "int main() { Derived d; return d.f() - 1; }\n"));
  for (const Outcome& end : {pure.core, pure.native}) {
    EXPECT_EQ(end.status, 1);
    EXPECT_THAT(end.err, HasSubstr("0,0: a pure virtual function was called\n"));
  }
}

TEST(NativePrograms, PrintNumbersOfTheHost) {
  const Workplace w;
  const std::string file = built_native(
      w, w.file("print.c",
                "#include <stdio.h>\n"
                "int main(int argc, char** argv) {\n"
                "  printf(\"%zu %ld %lu %lld %x %g [%s] %d\\n\", (size_t)1 << 40, -(1L << 40),\n"
                "         1UL << 33, -5LL, 48879U, 0.25, argv[1], argc);\n"
                "  return 0;\n"
                "}\n"));
  EXPECT_EQ(w.annelid("firmware run --native " + file + " --quiet -- text").out,
            "0,0: 1099511627776 -1099511627776 8589934592 -5 beef 0.25 [text] 2\n");
}

TEST(NativePrograms, EndAsProgramsOfTheCoreDo) {
  const Workplace w;
  const std::string file =
      built_native(w, w.file("ends.c",
                             "#include <nic.h>\n"
                             "#include <stdlib.h>\n"
                             "int main(int argc, char** argv) {\n"
                             "  unsigned value = 0;\n"
                             "  if (argc < 2) exit(7);\n"
                             "  if (argv[1][0] == 'w') return nic_receive(1, &value, 4, 3);\n"
                             "  if (argv[1][0] == 'l') while (nic_cycle() < 1000000) {}\n"
                             "  if (argv[1][0] == 'a') abort();\n"
                             "  nic_alloc((size_t)1 << 40);\n"
                             "  return 0;\n"
                             "}\n"));
  Outcome o = w.annelid("firmware run --native " + file + " --size 2x1");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, HasSubstr("node 0,0: exit status 7"));
  EXPECT_THAT(o.out, HasSubstr("exit 7"));
  o = w.annelid("firmware run --native " + file + " --size 2x1 -- wait");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, HasSubstr("stall: the network is empty, and 2 of 2 nodes wait"));
  o = w.annelid("firmware run --native " + file + " --size 2x1 --cycles 5000 -- loop");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, HasSubstr("cycle limit: 5000 cycles"));
  o = w.annelid("firmware run --native " + file + " -- abort");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, AllOf(HasSubstr("0,0: abort\n"), HasSubstr("exit status 1")));
  o = w.annelid("firmware run --native " + file + " -- memory");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, HasSubstr("there is no node memory left"));
}

TEST(NativePrograms, ThatSleepUntilATimerBeyondTheLimitHaveNotEnded) {
  // In develop mode, node 0 waits for node 1 by a timer.
  const Workplace w;
  const std::string file = built_native(w, w.file("patient.c",
                                                  "#include <ccl.h>\n"
                                                  "#include <nic.h>\n"
                                                  "int main(void) {\n"
                                                  "  if (nic_node() == 0) sync(ALL);\n"
                                                  "  return 0;\n"
                                                  "}\n"));
  const Outcome o =
      w.annelid("firmware run --native " + file + " --develop --size 2x1 --cycles 5000");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.out, AllOf(HasSubstr("\n0,0  "), HasSubstr("  asleep until cycle 1000"),
                           HasSubstr("  exit 0\n")));
  EXPECT_THAT(o.err, HasSubstr("cycle limit: 5000 cycles are over and 1 of 2 nodes"));
}

TEST(NativePrograms, WhatTheyCannotDoIsRefused) {
  const Workplace w;
  const std::string large = built_native(w, w.file("large.c",
                                                   "#include <nic.h>\n"
                                                   "NIC_MEMORY static int large[80000000];\n"
                                                   "int main(void) { return large[79999999]; }\n"));
  expect_refused(w, w.annelid("firmware run --native " + large),
                 {"built.so", "found variables of 3200", "bytes in node memory"});
  const std::string file = built_native(
      w, w.file("plain.c", "#include <nic.h>\nint main(void) { return (int)nic_node(); }\n"));
  for (const std::string option : {"--trace trace.txt", "--profile", "--gdb 0"}) {
    expect_refused(w, w.annelid("firmware run --native " + file + " " + option),
                   {option.substr(0, option.find(' ')),
                    "found a program that is built for the host", "without --native"});
  }
  expect_refused(w, w.annelid("firmware run --native " + file + " --develop"),
                 {"built.so", "found no calls of CCL"});
}

/// A shared object that notes in a file `ran` that its code has run: with `symbols` in its source.
std::string tell_tale(const Workplace& w, const std::string& name, const std::string& symbols) {
  const std::string source =
      w.file("tale.c",
             "#include <stdio.h>\n"
             "__attribute__((constructor)) static void run(void) { fclose(fopen(\"" +
                 w.path("ran").string() + "\", \"w\")); }\n" + symbols);
  const std::string object = w.path(name).string();
  EXPECT_EQ(w.shell("gcc -shared -fPIC " + source + " -o " + object).status, 0);
  return object;
}

TEST(NativeCode, RunsOnlyWhereTheUserSaysSo) {
  const Workplace w;
  const std::string program =
      "struct { unsigned version; void* rest[4]; } annelid_program = {1};\n";
  for (const std::string& symbols : {std::string(), program}) {
    const std::string evil = tell_tale(w, "evil.elf", symbols);
    for (const std::string& option :
         {std::string(), " --trace " + w.path("t").string(), std::string(" --profile")}) {
      expect_refused(w, w.annelid("firmware run " + evil + option),
                     {"evil.elf", "found code for this machine", "--native if you trust the file"});
    }
    expect_refused(w, w.annelid("run --firmware " + evil),
                   {"evil.elf", "expected 32-bit little-endian RISC-V"});
    expect_refused(w, w.annelid("check --quick --firmware " + evil), {"RISC-V"});
  }
  EXPECT_FALSE(std::filesystem::exists(w.path("ran")));
}

TEST(NativeCode, DoesNotRunBeforeTheFileIsLookedAt) {
  const Workplace w;
  const std::string other = tell_tale(w, "other.so",
                                      "extern int annelid_program;\n"
                                      "int* use(void) { return &annelid_program; }\n");
  expect_refused(w, w.annelid("firmware run --native " + other),
                 {"other.so", "a shared object without the symbol annelid_program"});
  const std::string elf = built_text(w, "main.c", "int main(void) { return 0; }\n");
  expect_refused(w, w.annelid("firmware run --native " + elf),
                 {"built.elf", "no shared object of this machine", "firmware build --native"});
  EXPECT_FALSE(std::filesystem::exists(w.path("ran")));
  // Options that native code cannot serve are refused first, too.
  const std::string program = tell_tale(
      w, "program.so", "struct { unsigned version; void* rest[4]; } annelid_program = {9};\n");
  expect_refused(w, w.annelid("firmware run --native --profile " + program), {"--profile"});
  EXPECT_FALSE(std::filesystem::exists(w.path("ran")));
  expect_refused(w, w.annelid("firmware run --native " + program),
                 {"program.so", "a shared object without this version's symbol annelid_program"});
  EXPECT_TRUE(std::filesystem::exists(w.path("ran"))) << "now the user has said so";
}

}  // namespace
}  // namespace annelid::end_to_end
