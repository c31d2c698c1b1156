// annelid firmware build, and what programs do that are linked with the kit: collectives, groups,
// messages, printing, arguments; the examples against the host's own arithmetic.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <tuple>
#include <utility>

#include "testbench/end_to_end/kit_programs.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// ---- The examples -------------------------------------------------------------------------------

TEST(FirmwareKit, HelloComesFromEachNode) {
  const Workplace w;
  const std::string elf = built(w, kExamples + "hello.c");
  const Outcome o = w.annelid("firmware run " + elf + " --size 4x2 --quiet -- \"good day\"");
  EXPECT_EQ(o.status, 0) << o.err;
  std::vector<std::string> lines = lines_of(o.out);
  std::sort(lines.begin(), lines.end());
  ASSERT_EQ(lines.size(), 8U);
  EXPECT_EQ(lines.front(), "0,0: good day from 0,0; the last node is 7");
  EXPECT_EQ(lines.back(), "3,1: good day from 3,1; the last node is 7");
}

/// The elements of y = A x that the program prints, beside those that are computed here.
void expect_product(const std::string& out, unsigned n) {
  const std::vector<std::string> lines = lines_of(out);
  ASSERT_EQ(lines.size(), n + 1) << out;
  for (unsigned i = 0; i < n; ++i) {
    double sum = 0;
    for (unsigned j = 0; j < n; ++j) {
      const int a = static_cast<int>((i * 7 + j * 3) % 11) - 5;
      sum += a * (static_cast<int>(j % 5) - 2) * 0.5;
    }
    char line[64];
    std::snprintf(line, sizeof line, "0,0: y[%u] = %g", i, sum);
    EXPECT_EQ(lines[i], line);
  }
  EXPECT_THAT(lines.back(), HasSubstr("0 of "));
}

TEST(FirmwareKit, AMatrixTimesAVectorIsThatOfTheHost) {
  const Workplace w;
  const std::string elf = built(w, kExamples + "matrix_vector.c");
  for (const auto& [network, n] : {std::pair{"4x4", 32U}, std::pair{"8x8", 64U},
                                   std::pair{"3x2", 12U}, std::pair{"4x4 --topology torus", 16U}}) {
    const Outcome o = w.annelid("firmware run " + elf + " --quiet --size " + network + " -- " +
                                std::to_string(n));
    EXPECT_EQ(o.status, 0) << network << o.err;
    expect_product(o.out, n);
  }
  const Outcome o = w.annelid("firmware run " + elf + " --quiet --size 4x4 -- 17");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.out, HasSubstr("0,0: found n = 17, expected a multiple of the 16 nodes"));
}

TEST(FirmwareKit, TheExamplesOfCclRunAsPrinted) {
  const Workplace w;
  const std::string elf = built(w, kExamples + "groups.c");
  const Outcome o = w.annelid("firmware run " + elf + " --size 7x1 --quiet");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  for (const char* line :
       {"0,0: even: rank 0 of 0 2 4 6\n", "6,0: even: rank 3 of 0 2 4 6\n",
        "3,0: odd: rank 1 of 1 3 5\n",
        // Temperatures: 21, 22, 24 and 25 are cold; 150, 147 and 144 are hot.
        "5,0: cold: rank 3 of 1 2 4 5\n", "6,0: hot: rank 0 of 6 3 0\n",
        "0,0: hot: rank 2 of 6 3 0\n", "1,0: 92 degrees in all\n", "6,0: 441 degrees in all\n"}) {
    EXPECT_THAT(o.out, HasSubstr(line));
  }
  EXPECT_EQ(lines_of(o.out).size(), 16U);
}

/// Jacobi's method as the example does it, here.
std::string heat_here(unsigned n, unsigned steps) {
  std::vector<float> now((n + 2) * (n + 2)), next;
  for (unsigned x = 1; x <= n; ++x) now[x] = 100;
  next = now;
  for (unsigned step = 0; step < steps; ++step) {
    for (unsigned y = 1; y <= n; ++y) {
      for (unsigned x = 1; x <= n; ++x) {
        const float* p = &now[y * (n + 2) + x];
        next[y * (n + 2) + x] = 0.25F * (((p[-static_cast<int>(n) - 2] + p[-1]) + p[1]) + p[n + 2]);
      }
    }
    std::swap(now, next);
  }
  char line[64];
  std::snprintf(line, sizeof line, "the middle has %.3f degrees; 0 of %u points differ",
                static_cast<double>(now[n / 2 * (n + 2) + n / 2]), n * n);
  return line;
}

TEST(FirmwareKit, HeatInAPlateIsThatOfASerialProgram) {
  const Workplace w;
  const std::string elf = built(w, kExamples + "heat.c");
  for (const auto& [size, n, steps] :
       {std::tuple{"4x4", 16U, 30U}, std::tuple{"8x8", 16U, 12U}, std::tuple{"3x2", 12U, 9U}}) {
    const Outcome o = w.annelid("firmware run " + elf + " --quiet --size " + size + " -- " +
                                std::to_string(n) + " " + std::to_string(steps));
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    EXPECT_THAT(o.out,
                AllOf(HasSubstr(std::to_string(steps) + " steps"), HasSubstr(heat_here(n, steps))));
  }
}

// ---- The libraries ------------------------------------------------------------------------------

TEST(FirmwareKit, EachOperationOfIntercomWorksOnEachGroup) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "intercom_operations.c");
  for (const char* run : {"1 -- 1 1", "4x4 -- 2 7", "5x3 -- 3 10", "2x2x2 -- 4 8"}) {
    const Outcome o = w.annelid("firmware run " + elf + " --size " + std::string(run));
    EXPECT_EQ(o.status, 0) << run << "\n" << o.out << o.err;
    EXPECT_THAT(o.out, Not(HasSubstr("asleep"))) << "each node has come to its end";
  }
}

TEST(FirmwareKit, EachOperationOfCclWorksOnEachGroup) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "ccl_operations.c");
  for (const char* run : {"1 -- 1 1", "4x4 -- 3 2", "5x3 -- 2 6", "2x2x2 -- 1 3"}) {
    const Outcome o = w.annelid("firmware run " + elf + " --size " + std::string(run));
    EXPECT_EQ(o.status, 0) << run << "\n" << o.out << o.err;
    EXPECT_THAT(o.out, Not(HasSubstr("asleep"))) << "each node has come to its end";
  }
}

TEST(FirmwareKit, CallsOfTheHostCanBeMadeByTheProgram) {
  const Workplace w;
  const std::string elf = built(w, kPrograms + "calls.cpp");
  for (const char* size : {"4x4", "8x8"}) {
    const Outcome o = w.annelid("firmware run " + elf + " --size " + std::string(size));
    EXPECT_EQ(o.status, 0) << size << "\n" << o.out << o.err;
    EXPECT_THAT(o.out, Not(HasSubstr("asleep"))) << "each node has come to its end";
  }
}

TEST(FirmwareKit, AProgramHasOnlyTheCollectivesThatItNames) {
  const Workplace w;
  const std::string none = built_text(w, "none.c", "int main(void) { return 0; }\n");
  const auto small = std::filesystem::file_size(none);
  const std::string call =
      "#include <nic.h>\nstatic struct nic_words words = {.operation = NIC_BROADCAST, .algorithm = "
      "NIC_BY_EDN};\n"
      "int main(void) { return nic_call(&words); }\n";
  const std::string without = built_text(w, "without.c", call);
  const auto size = std::filesystem::file_size(without);
  EXPECT_THAT(w.annelid("firmware run " + without).out, HasSubstr("exit 2")) << "UNKNOWN_ALGORITHM";
  const std::string with = built_text(w, "with.c", call + "NIC_USES(BROADCAST, EDN)\n");
  EXPECT_LT(small, size);
  EXPECT_LT(size, std::filesystem::file_size(with));
  EXPECT_THAT(w.annelid("firmware run " + with + " --size 4x4").out, Not(HasSubstr("exit 2")));
}

// ---- Printing and arguments ---------------------------------------------------------------------

/// A conversion with its values: what the node prints, and what the host's library prints.
#define CONVERSIONS(X)                                                                         \
  X("%d %i %u", -5, 7, 3000000000U)                                                            \
  X("[%5d] [%-5d] [%05d] [%+d] [% d]", 42, 42, 42, 42, 42)                                     \
  X("%x %X %o %s", 48879U, 48879U, 8U, "")                                                     \
  X("[%.3d] [%8.3d] [%.0d]", 5, 5, 0)                                                          \
  X("%ld %lu %lld %llu %llx", -1L, 1UL, -1234567890123LL, 18446744073709551615ULL, 1ULL << 40) \
  X("%c%c [%s] [%6s] [%-6s] [%.2s]", 'a', 'b', "text", "ab", "ab", "abcdef")                   \
  X("%% %*d %.*f", 6, 12, 2, 2.345)                                                            \
  X("%f %.0f %.3f %10.2f %-10.2f|", 1.5, 2.7, -0.0005, 3.14159, 2.5)                           \
  X("%.0f %.0f %.0f %.1f %.20f", 0.5, 1.5, 2.5, 0.25, 0.1)                                     \
  X("%hhd %hd %hhx | %#x %d | %td %d", -56, 70000, 0x1ff, 255, 7, (__PTRDIFF_TYPE__)6, 8)      \
  X("%e %.2e %E", 12345.678, 0.00012, 9.9999e20)                                               \
  X("%g %g %g %g %g %g", 0.0, 100000.0, 1000000.0, 0.0001, 0.00001234, 123456789.0)            \
  X("%g %g %.3g %f %f", 0.5, 99.9999, 2.0 / 3, 1e300 * 1e300, -1e300 * 1e300)

TEST(FirmwareKit, PrintfPrintsWhatTheHostPrints) {
  const Workplace w;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat"
#define SOURCE(...) "  printf(" #__VA_ARGS__ "); puts(\"\");\n"
#define HERE(...)                                   \
  {                                                 \
    char line[256];                                 \
    std::snprintf(line, sizeof line, __VA_ARGS__);  \
    expected += "0,0: " + std::string(line) + "\n"; \
  }
  std::string expected;
  CONVERSIONS(HERE)
  const std::string source = std::string("#include <stdio.h>\nint main(void) {\n") +
                             CONVERSIONS(SOURCE) + "  return 0;\n}\n";
#pragma GCC diagnostic pop
  const std::string elf = w.path("print.elf").string();
  ASSERT_EQ(
      w.annelid("firmware build " + w.file("print.c", source) + " -o " + elf + " -- -w").status, 0);
  EXPECT_EQ(w.annelid("firmware run " + elf + " --quiet").out, expected);
}

TEST(FirmwareKit, LinesComeInTheOrderOfCyclesAndNodes) {
  const Workplace w;
  const std::string elf =
      built_text(w, "order.c",
                 "#include <nic.h>\n#include <stdio.h>\n"
                 "int main(void) {\n"
                 "  printf(\"a\");\n"
                 "  fputs(\"an error\\n\", stderr);\n"
                 "  if (nic_node() == 1) for (volatile int i = 0; i < 99; ++i);\n"
                 "  printf(\"%u\\nlast\", nic_node());\n"
                 "  return 0;\n"
                 "}\n");
  const Outcome o = w.annelid("firmware run " + elf + " --size 2x2 --quiet");
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out,
            "0,1: a2\n1,1: a3\n0,0: a0\n1,0: a1\n0,0: last\n1,0: last\n0,1: last\n1,1: last\n");
  EXPECT_EQ(o.err, "0,0: an error\n1,0: an error\n0,1: an error\n1,1: an error\n");
  const Outcome cycles = w.annelid("firmware run " + elf + " --size 2x2 --quiet --print-cycles");
  std::istringstream in(cycles.out);
  long last = 0, cycle = 0;
  std::string node, text;
  while (in >> cycle >> node >> text) {
    EXPECT_GE(cycle, last);
    last = cycle;
  }
  EXPECT_GT(last, 0);
}

TEST(FirmwareKit, ArgumentsReachMain) {
  const Workplace w;
  const std::string elf =
      built_text(w, "arguments.cpp",
                 "#include <stdio.h>\n"
                 "int main(int argc, char** argv) {\n"
                 "  for (int i = 0; i < argc; ++i) printf(\"[%s]\\n\", argv[i]);\n"
                 "  return argv[argc] == nullptr ? 0 : 1;\n"
                 "}\n");
  EXPECT_EQ(w.annelid("firmware run " + elf + " --quiet -- one '' '--size 9' -x").out,
            "0,0: [built.elf]\n0,0: [one]\n0,0: []\n0,0: [--size 9]\n0,0: [-x]\n");
  EXPECT_EQ(w.annelid("firmware run " + elf + " --quiet").out, "0,0: [built.elf]\n");
  expect_refused(w, w.annelid("firmware run " + elf + " -- " + std::string(1100, 'a')),
                 {"built.elf", "arguments of 1115 bytes", "at most 1024"});
}

TEST(FirmwareKit, AProgramWithoutTheNicAlsoRunsInQemu) {
  const Workplace w;
  const std::string elf = built_text(w, "plain.c",
                                     "#include <stdio.h>\n#include <stdlib.h>\n"
                                     "static int calls = 4;\n"
                                     "int main(int argc, char** argv) {\n"
                                     "  printf(\"%d %s %g\\n\", argc, argv[1], calls / 8.0);\n"
                                     "  return atoi(argv[1]);\n"
                                     "}\n");
  const Outcome here = w.annelid("firmware run " + elf + " --quiet -- 0");
  EXPECT_EQ(here.out, "0,0: 2 0 0.5\n");
  const Outcome there = w.shell("qemu-riscv32 " + elf + " 5");
  EXPECT_EQ(there.status, 5) << there.err;
  EXPECT_EQ(there.out, "2 5 0.5\n");
}

TEST(FirmwareKit, StaticObjectsOfCxxAreMadeAndHeadersOfCxxServe) {
  const Workplace w;
  const std::string elf =
      built_text(w, "objects.cpp",
                 "#include <algorithm>\n#include <array>\n#include <cstdio>\n"
                 "#include <cstdlib>\n#include <cstring>\n#include <nic.h>\n"
                 "struct Number { Number() : value(nic_node() + 40) {} unsigned value; };\n"
                 "static Number number;\n"
                 "int main() {\n"
                 "  std::array<int, 3> a{3, 1, 2};\n"
                 "  std::sort(a.begin(), a.end());\n"
                 "  char text[8];\n"
                 "  std::snprintf(text, sizeof text, \"%d\", std::abs(std::atoi(\"-7\")));\n"
                 "  std::printf(\"%s %zu\\n\", text, std::strlen(text));\n"
                 "  std::exit(number.value == nic_node() + 40 && a[0] == 1 ? 0 : 1);\n"
                 "}\n");
  const Outcome o = w.annelid("firmware run " + elf + " --size 2x1 --quiet");
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out, "0,0: 7 1\n1,0: 7 1\n");
}

// ---- What is refused ----------------------------------------------------------------------------

TEST(FirmwareBuild, OfCollectivesNeedsTheirTable) {
  const Workplace w;
  const std::string source = w.file("own.cpp", "\n"), table = w.file("own.inc", "// none\n");
  const std::string build = "firmware build " + source + " --table " + table + " -o own.elf";
  expect_refused(w, w.annelid(build), {"--table", "a file without collectives", "COLLECTIVE("});
  expect_refused(w, w.annelid(build + " --native"), {"--table", "beside --native"});
}

TEST(FirmwareBuild, PassesOnWhatTheCompilerSays) {
  const Workplace w;
  const std::string source = w.file("wrong.c", "int main(void) { return nothing; }\n");
  const std::string elf = w.path("wrong.elf").string();
  Outcome o = w.annelid("firmware build " + source + " -o " + elf);
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("wrong.c:1:25: error: 'nothing' undeclared"),
                           HasSubstr("annelid: " + source + ": found errors"),
                           HasSubstr("expected a source that compiles")));
  EXPECT_FALSE(std::filesystem::exists(elf));

  o = w.annelid("firmware build " +
                w.file("link.c", "int f(void);\nint main(void) { return f(); }\n") + " -o " + elf);
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("undefined reference to `f'"),
                           HasSubstr("expected a program that links")));
  o = w.annelid("firmware build " + w.file("none.c", "int f(void) { return 0; }\n") + " -o " + elf);
  EXPECT_THAT(o.err, HasSubstr("the program has no function main"));
  o = w.annelid("firmware build " +
                w.file("large.c", "char room[270000];\nint main(void) { return room[0] = 1; }\n") +
                " -o " + elf);
  EXPECT_EQ(o.status, 2);
  o = w.annelid("firmware build " + w.file("end.c", "int main(void) {}\n") + " -o " + elf);
  EXPECT_THAT(o.err, HasSubstr("control reaches end of non-void function"));
  o = w.annelid("firmware build " + w.file("warn.c", "int main(void) { int x; return 0; }\n") +
                " -o " + elf);
  EXPECT_EQ(o.status, 0);
  EXPECT_THAT(o.err, HasSubstr("unused variable"));
  EXPECT_TRUE(std::filesystem::exists(elf));
}

TEST(FirmwareBuild, TakesOptionsOfTwoWords) {
  const Workplace w;
  std::filesystem::create_directory(w.path("dir"));
  (void)w.file("dir/in.h", "#define IN 20\n");
  (void)w.file("first.h", "#define FIRST 1\n");
  const std::string source =
      w.file("two.c",
             "#include <stdio.h>\n#include <in.h>\n"
             "int main(void) { printf(\"%d\\n\", FIRST + IN + D); return 0; }\n");
  const Outcome o = w.shell("$A firmware build " + source +
                            " -o two.elf -- -I dir -D D=300 -include first.h "
                            "-Xlinker --defsym=stack_bytes=0x8000 && $A firmware run two.elf");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("0: 321\n"));
  expect_refused(w, w.annelid("firmware build " + source + " -- -I"), {"-I", "no value"});
}

TEST(FirmwareBuild, RefusesWhatIsNoSource) {
  const Workplace w;
  const std::string source = w.file("good.c", "int main(void) { return 0; }\n");
  expect_refused(w, w.annelid("firmware build no.c"), {"no.c", "readable file"});
  expect_refused(w, w.annelid("firmware build README.md"), {"README.md", "C (.c), C++ (.cpp"});
  expect_refused(w, w.annelid("firmware build " + source + " -o " + source),
                 {"--output", "good.c", "another file"});
  expect_refused(w, w.annelid("firmware build " + source + " -o /proc/x"),
                 {"--output", "cannot be written"});
  expect_refused(w, w.annelid("firmware build -- -O3"), {"SOURCE", "none"});
}

TEST(FirmwareBuild, SaysWhichPackageHasTheCompiler) {
  const Workplace w;
  const std::string source = w.file("good.c", "int main(void) { return 0; }\n");
  const Outcome o = w.shell("PATH=/nowhere $A firmware build " + source);
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err,
              AllOf(HasSubstr("riscv64-unknown-elf-gcc"), HasSubstr("gcc-riscv64-unknown-elf")));
}

TEST(FirmwareBuild, GivesOptionsToTheCompilerAndTheLinker) {
  const Workplace w;
  const std::string source = w.file("value.c", "int main(void) { return VALUE; }\n");
  const std::string other = w.file("other.c", "int VALUE_OF_OTHER;\n");
  const Outcome o =
      w.shell("$A firmware build " + source + " " + other +
              " -- -DVALUE=3 -Wl,--defsym=stack_bytes=0x20000 && $A firmware run value.elf");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, HasSubstr("exit status 3"));
}

}  // namespace
}  // namespace annelid::end_to_end
