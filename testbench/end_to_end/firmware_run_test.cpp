// annelid firmware run, as a firmware engineer uses it: how programs end, what the trace and the
// profile say of them, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <sstream>
#include <stdexcept>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kCompiler =
    "riscv64-unknown-elf-gcc -march=rv32im -misa-spec=2.2 -mabi=ilp32 -O1 -g -ffreestanding "
    "-nostdlib -nostartfiles -Wl,--nmagic -Wl,--no-warn-rwx-segments -Wl,--build-id=none ";

constexpr const char* kLinkerScript = R"(
ENTRY(_start)
SECTIONS {
  . = 0;
  .text : { *(.text.start) *(.text .text.*) }
  .rodata : { *(.rodata .rodata.* .srodata .srodata.*) }
  .data : { *(.data .data.* .sdata .sdata.*) }
  .bss : { *(.bss .bss.* .sbss .sbss.* COMMON) }
  stack_top = 256K;
}
)";

/// Calls main, and exits with what it returns.
constexpr const char* kStart = R"(
__asm__(".section .text.start\n.globl _start\n_start: la sp, stack_top\ncall main\n"
        "li a7, 93\necall\n.text");
#define REG(offset) (*(volatile unsigned*)(0x40000000u + (offset)))
)";

/// Compiles a source in the work place, "name.S" or "name.c", with another one that is there;
/// returns the program's path.
std::string compile(const Workplace& w, const std::string& name, const std::string& text,
                    const std::string& other = "") {
  const std::string script = w.file("program.ld", kLinkerScript);
  w.file(name, text);
  const std::string elf = name.substr(0, name.find('.')) + ".elf";
  const std::string command = "cd " + w.path("").string() + " && " + kCompiler + "-T " + script +
                              " " + name + " " + other + " -o " + elf + " 2>" +
                              w.path("compiler").string();
  if (std::system(command.c_str()) != 0) throw std::runtime_error(w.text("compiler"));
  return w.path(elf).string();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string assembly(const std::string& text) {
  return ".option norvc\n.option norelax\n.section .text.start\n.globl _start\n_start:\n" + text;
}

// ---- How a program ends -------------------------------------------------------------------------

struct Ending {
  const char* name;
  const char* text;
  int status;
  const char *out, *err;
};

class Endings : public ::testing::TestWithParam<Ending> {};

TEST_P(Endings, AreReportedWithCyclesInstructionsAndPlace) {
  const Workplace w;
  const std::string elf = compile(w, "end.S", assembly(GetParam().text));
  const Outcome o = w.annelid("firmware run " + elf + " --cycles 500");
  EXPECT_EQ(o.status, GetParam().status) << o.out << o.err;
  EXPECT_THAT(o.out, AllOf(StartsWith("node "), HasSubstr("\n0,0  "), HasSubstr(GetParam().out)));
  EXPECT_THAT(o.err, HasSubstr(GetParam().err));
  EXPECT_EQ(o.err.empty(), o.status == 0) << o.err;
}

INSTANTIATE_TEST_SUITE_P(
    Of, Endings,
    ::testing::Values(
        Ending{"Exit", "li a0, 0\nli a7, 93\necall\n", 0, "  2              2  exit 0\n", ""},
        Ending{"ExitStatus", "li a0, 7\nli a7, 93\necall\n", 1, "exit 7\n",
               "node 0,0: exit status 7"},
        Ending{"OtherCall", "li a7, 92\necall\n", 1, "environment call, mtval 0x0, at 0x00000004",
               "cycle 1: environment call (mcause 11"},
        Ending{"Sleep", "div a0, a0, a0\nwfi\nnop\n", 0,
               "  35              2  asleep for good at 0x00000004 _start+0x4", ""},
        Ending{"Break", "nop\nebreak\n", 1,
               "  1              1  breakpoint, mtval 0x4, at "
               "0x00000004 _start+0x4",
               "node 0,0, cycle 1: breakpoint"},
        Ending{"Fault", "lui a0, 0x30000\nlw a1, 8(a0)\n", 1, "load access fault, mtval 0x30000008",
               "mcause 5, mtval 0x30000008) at 0x00000004 _start+0x4 "},
        Ending{"Loop", "1: j 1b\n", 1, "  501            167  running at 0x00000000 _start",
               "cycle limit: 500 cycles"},
        Ending{"WakesLate",
               "lui a0, 0x40000\nsw x0, 0x3c(a0)\nli a1, 400\nsw a1, 0x38(a0)\n"
               "li a1, 0x80\ncsrw mie, a1\nwfi\nli a0, 0\nli a7, 93\necall\n",
               0, "  403              9  exit 0\n", ""},
        // The timer's cycle is seen one cycle later. The limit comes before it.
        Ending{"SleepsBeyondTheLimit",
               "lui a0, 0x40000\nsw x0, 0x3c(a0)\nli a1, 600\nsw a1, 0x38(a0)\n"
               "li a1, 0x80\ncsrw mie, a1\nwfi\nli a0, 7\nli a7, 93\necall\n",
               1, "  7              7  asleep until cycle 601 at 0x00000018 _start+0x18",
               "cycle limit: 500 cycles are over and 1 of 1 nodes have not ended\n"},
        // An armed timer whose interrupt is not enabled wakes nobody.
        Ending{"SleepsWithATimerThatIsNotEnabled",
               "lui a0, 0x40000\nsw x0, 0x3c(a0)\nli a1, 600\nsw a1, 0x38(a0)\nwfi\n", 0,
               "asleep for good at 0x00000010 _start+0x10", ""}),
    [](const auto& test) { return test.param.name; });

// ---- Text that a program writes -----------------------------------------------------------------

TEST(FirmwareWrite, TakesSixCyclesAndGivesTheBytesOrAnError) {
  const Workplace w;
  // Descriptor 1 with 2 bytes, a wrong descriptor, and bytes that reach beyond RAM. The results of
  // Linux are 2, -9 and -14, and -14 writes nothing. They add up to the exit status.
  const std::string elf = compile(w, "write.S",
                                  assembly("li a7, 64\nli a0, 1\nla a1, text\nli a2, 2\necall\n"
                                           "mv s0, a0\nli a0, 3\necall\nadd s0, s0, a0\n"
                                           "li a0, 1\nli a1, 0x3ffff\necall\nadd a0, s0, a0\n"
                                           "addi a0, a0, 21\nli a7, 93\necall\n"
                                           "text: .ascii \"x\\n\"\n.balign 4\n"));
  const Outcome o = w.annelid("firmware run " + elf);
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  // 14 instructions of one cycle, as la is two of them, and three calls of 6.
  EXPECT_THAT(o.out, AllOf(StartsWith("0,0: x\n"), HasSubstr("  32             17  exit 0\n")));
  ASSERT_EQ(w.annelid("firmware run " + elf + " --trace " + w.path("trace").string()).status, 0);
  EXPECT_THAT(w.text("trace"), HasSubstr("ecall                    a0=0x00000002"));
}

TEST(FirmwareWrite, IsATrapWhereTheProgramHasAHandler) {
  const Workplace w;
  const std::string elf =
      compile(w, "write.S",
              assembly("la t0, handler\ncsrw mtvec, t0\nli a7, 64\nli a0, 1\nli a2, 1\necall\n"
                       "handler: csrr a0, mcause\naddi a0, a0, -11\ncsrw mtvec, x0\nli a7, 93\n"
                       "ecall\n"));
  const Outcome o = w.annelid("firmware run " + elf);
  EXPECT_THAT(o.out, HasSubstr("exit 0\n"));
  EXPECT_THAT(o.out, Not(HasSubstr("0,0: ")));
}

TEST(FirmwareWrite, ReadsNodeMemoryOfItsCycle) {
  const Workplace w;
  const std::string elf =
      compile(w, "write.S",
              assembly("lui a1, 0x80000\nli a0, 0x0a6b6f\nsw a0, 0(a1)\nli a0, 1\nli a2, 3\n"
                       "li a7, 64\necall\nsw x0, 0(a1)\nli a0, 0\nli a7, 93\necall\n"));
  EXPECT_THAT(w.annelid("firmware run " + elf).out, StartsWith("0,0: ok\n"));
}

TEST(FirmwareRun, ArgumentsNeedAProgramThatTakesThem) {
  const Workplace w;
  const std::string elf = compile(w, "end.S", assembly("li a0, 0\nli a7, 93\necall\n"));
  expect_refused(w, w.annelid("firmware run " + elf + " -- one"),
                 {"end.elf", "found 2 arguments", "arguments_begin"});
}

TEST(FirmwareRun, TheSourceLineOfATrapIsNamed) {
  const Workplace w;
  const std::string elf = compile(w, "trap.c",
                                  std::string(kStart) +
                                      "int main(void) {\n"
                                      "  return *(volatile int*)0x50000000;\n"
                                      "}\n");
  const Outcome o = w.annelid("firmware run " + elf);
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, AllOf(HasSubstr(" main"), HasSubstr("trap.c:6\n")));
}

/// The shipped example, with the shipped start-up code and linker script.
std::string compile_shipped(const Workplace& w, const std::string& source) {
  const std::string folder = std::string(ANNELID_SOURCE_DIR) + "/examples/firmware/";
  const std::string elf = w.path("shipped.elf").string();
  const std::string command = std::string(kCompiler) + "-T " + folder + "program.ld " + folder +
                              "start.S " + source + " -o " + elf;
  if (std::system(command.c_str()) != 0) throw std::runtime_error(command);
  return elf;
}

TEST(FirmwareRun, TheShippedProgramGreetsItsNeighbour) {
  const Workplace w;
  const std::string elf =
      compile_shipped(w, std::string(ANNELID_SOURCE_DIR) + "/examples/firmware/hello.c");
  for (const char* size : {"1", "4x2", "3x3x2 --topology torus"}) {
    const Outcome o = w.annelid("firmware run " + elf + " --size " + size);
    EXPECT_EQ(o.status, 0) << size << o.out << o.err;
    EXPECT_THAT(o.out, AllOf(HasSubstr("exit 0"), Not(HasSubstr("exit 1"))));
  }
}

TEST(FirmwareRun, AStackThatGrowsTooFarTrapsWithRegistersAndCallers) {
  const Workplace w;
  const std::string source = w.file("deep.c",
                                    "__attribute__((noinline)) int deep(int n, volatile int* q) {\n"
                                    "  volatile int a[16];\n"
                                    "  a[n & 15] = n;\n"
                                    "  return n == 0 ? *q : deep(n - 1, a) + a[3];\n"
                                    "}\n"
                                    "int main(void) {\n"
                                    "  volatile int x = 1;\n"
                                    "  return deep(x * 5, &x) + deep(x * 100000, &x);\n"
                                    "}\n");
  const Outcome o = w.annelid("firmware run " + compile_shipped(w, source));
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, AllOf(HasSubstr("store access fault (mcause 7"), HasSubstr(" deep"),
                           HasSubstr("deep.c:"),
                           HasSubstr("stack overflow: a write below the stack's limit, 0x3c000"),
                           HasSubstr("\n  registers\n      ra "), HasSubstr("\n  callers\n    0x"),
                           HasSubstr("deep.c:4\n    "), HasSubstr("\n    and more")));
}

TEST(FirmwareRun, ATrapNamesAllItsCallers) {
  const Workplace w;
  const std::string source = w.file("calls.c",
                                    "__attribute__((noinline)) int inner(int n) {\n"
                                    "  return *(volatile int*)(0x50000000u + n) + 1;\n"
                                    "}\n"
                                    "__attribute__((noinline)) int middle(int n) {\n"
                                    "  return inner(n) * 3;\n"
                                    "}\n"
                                    "int main(void) { return middle(8) + 1; }\n");
  const Outcome o = w.annelid("firmware run " + compile_shipped(w, source));
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, AllOf(HasSubstr("load access fault"), HasSubstr(" inner"),
                           HasSubstr("calls.c:2\n"), HasSubstr(" middle"), HasSubstr("calls.c:5\n"),
                           HasSubstr(" main"), HasSubstr("calls.c:7"), HasSubstr(" _start")));
}

// ---- Several nodes ------------------------------------------------------------------------------

// In each row a node sends 16 bytes to its right neighbour, and checks those of its left one.
constexpr const char* kRing = R"(
int main(void) {
  unsigned x = REG(0x004) & 255, row = REG(0x004) - x, n = REG(0x008), c = 0;
  unsigned left = (x + n - 1) % n, right = (x + 1) % n;
  volatile unsigned* memory = (volatile unsigned*)0x80000000u;
  __asm__ volatile("csrw mie, %0" : : "r"(0x800));
  memory[0] = 100 + x;
  REG(0x0c0) = row + left; REG(0x0c4) = 64; REG(0x0c8) = 16; REG(0x0cc) = 5; REG(0x0dc) = 1;
  REG(0x080) = row + right; REG(0x084) = 0; REG(0x088) = 16; REG(0x08c) = 5; REG(0x0ac) = 2;
  for (int done = 0; done < 2;) {
    c = REG(0x0f0);
    if (c != 0) ++done; else __asm__ volatile("wfi");
  }
  return memory[16] == 100 + left ? 0 : 3;
}
)";

TEST(FirmwareRun, NodesTalkToEachOther) {
  const Workplace w;
  const std::string elf = compile(w, "ring.c", std::string(kStart) + kRing);
  for (const char* size : {"1", "4", "4x2", "2x2x2", "4 --topology torus"}) {
    const Outcome o = w.annelid("firmware run " + elf + " --size " + size);
    EXPECT_EQ(o.status, 0) << size << o.out << o.err;
    EXPECT_THAT(o.out, AllOf(HasSubstr("exit 0"), Not(HasSubstr("exit 3")))) << size;
  }
  EXPECT_THAT(w.annelid("firmware run " + elf + " --size 2x2x2").out, HasSubstr("\n1,1,1  "));
  EXPECT_EQ(w.annelid("firmware run " + elf + " --size 4 --quiet").out, "");
  EXPECT_THAT(w.annelid("firmware run " + elf + " --size 10x8").out, HasSubstr("\nand 16 more\n"));
}

TEST(FirmwareRun, NodesThatWaitForWhatWillNotComeAreNamed) {
  const Workplace w;
  const std::string elf =
      compile(w, "stall.c",
              std::string(kStart) +
                  "int main(void) {\n"
                  "  if (REG(4) == 0) return 0;\n"
                  "  REG(0xc0) = 0; REG(0xc4) = 64; REG(0xc8) = 16; REG(0xcc) = 5; REG(0xdc) = 9;\n"
                  "  for (;;) __asm__ volatile(\"wfi\");\n"
                  "}\n");
  const Outcome o = w.annelid("firmware run " + elf + " --size 2");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.out,
              AllOf(HasSubstr("exit 0"), HasSubstr("asleep for good"),
                    HasSubstr("\n                                     receive 9 from 0 tag 5"),
                    Not(HasSubstr("core "))));
  EXPECT_THAT(o.err, HasSubstr("stall: the network is empty, and 1 of 2 nodes"));
}

TEST(FirmwareRun, ThatIsCutOffSaysOfEachNodeHowItStands) {
  const Workplace w;
  const std::string elf =
      compile(w, "four.c",
              std::string(kStart) +
                  "int main(void) {\n"
                  "  static const unsigned kMie[] = {0, 0x880, 0x800, 0};\n"
                  "  if (REG(4) == 0) return 0;\n"
                  "  REG(0x3c) = 0; REG(0x38) = 5000;\n"
                  "  __asm__ volatile(\"csrw mie, %0\" : : \"r\"(kMie[REG(4)]));\n"
                  "  __asm__ volatile(\"wfi\");\n"
                  "  return 0;\n"
                  "}\n");
  const Outcome o = w.annelid("firmware run " + elf + " --size 4 --cycles 3000");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err,
              HasSubstr("cycle limit: 3000 cycles are over and 2 of 4 nodes have not ended\n"));
  const std::vector<std::string> rows = lines_of(o.out);
  ASSERT_EQ(rows.size(), 5u) << o.out;
  EXPECT_THAT(rows[1], AllOf(StartsWith("0 "), HasSubstr("  exit 0")));
  EXPECT_THAT(rows[2], AllOf(StartsWith("1 "), HasSubstr("  asleep until cycle 5001 at 0x")));
  EXPECT_THAT(rows[3], AllOf(StartsWith("2 "), HasSubstr("  asleep at 0x")));
  EXPECT_THAT(rows[4], AllOf(StartsWith("3 "), HasSubstr("  asleep for good at 0x")));
  // Later the timer has woken node 1, and then nothing can wake the others.
  const Outcome whole = w.annelid("firmware run " + elf + " --size 4 --cycles 6000");
  EXPECT_EQ(whole.status, 0) << whole.out << whole.err;
  EXPECT_THAT(lines_of(whole.out)[3], HasSubstr("  asleep for good at 0x"));
}

TEST(FirmwareRun, ThatIsCutOffWhileAMessageIsUnderWayHasNotEnded) {
  // Node 0 sends a short message that nobody awaits, without a completion. All nodes exit.
  const Workplace w;
  const std::string elf =
      compile(w, "late.c",
              std::string(kStart) +
                  "int main(void) {\n"
                  "  if (REG(4) != 0) return 0;\n"
                  "  REG(0xa8) = 0x1ff; REG(0x80) = 63; REG(0x88) = 8; REG(0xac) = 1;\n"
                  "  return 0;\n"
                  "}\n");
  const Outcome o = w.annelid("firmware run " + elf + " --size 64 --cycles 80");
  EXPECT_EQ(o.status, 1) << o.out;
  EXPECT_THAT(o.err,
              HasSubstr("cycle limit: 80 cycles are over and 0 of 64 nodes have not ended; 3 "
                        "flits are in the network\n"));
}

TEST(FirmwareRun, AnErrorOfANicEndsTheRunUnlessItIsAllowed) {
  const Workplace w;
  const std::string elf = compile(w, "error.c",
                                  std::string(kStart) +
                                      "int main(void) {\n"
                                      "  REG(0xc0) = 77; REG(0xdc) = 1;\n"
                                      "  return REG(0x40) == 3 ? 0 : 9;\n"
                                      "}\n");
  const Outcome o = w.annelid("firmware run " + elf);
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, AllOf(HasSubstr("node 0,0, cycle "), HasSubstr("BAD_ADDRESS")));
  EXPECT_EQ(w.annelid("firmware run " + elf + " --allow-errors").status, 0);
}

// ---- Trace and profile --------------------------------------------------------------------------

// Costs of docs/internals/nic/core.md, in the comments: the cycle in which each starts.
constexpr const char* kSmall = R"(
    li s0, 2           # 0
    jal ra, twice      # 1
    jal ra, twice      # 10
    wfi                # 19
    .globl twice
    .type twice, @function
twice:
    lw a0, 0x402(x0)   # 4, 13: crosses a word, 3 cycles
    mul a0, s0, s0     # 7, 16: 2
    ret                # 9, 18: 3
    .size twice, .-twice
)";

TEST(FirmwareRun, WritesNoFileThatItReadsOrWritesOtherwise) {
  const Workplace w;
  const std::string elf = compile(w, "ring.c", std::string(kStart) + kRing);
  const std::string program = w.text(std::filesystem::path(elf).filename());
  expect_refused(w, w.annelid("firmware run " + elf + " --flit-log " + elf),
                 {"--flit-log: found", "which is read as the program, expected another file"});
  const std::string log = w.path("log").string();
  expect_refused(w, w.annelid("firmware run " + elf + " --trace " + log + " --profile=" + log),
                 {"--profile: found", "which --trace writes, expected another file"});
  EXPECT_EQ(w.text(std::filesystem::path(elf).filename()), program);
}

TEST(FirmwareTrace, HasALineForEachInstructionWithItsCycleResultAndSource) {
  const Workplace w;
  const std::string elf = compile(w, "small.S", assembly(kSmall));
  ASSERT_EQ(w.annelid("firmware run " + elf + " --trace " + w.path("trace").string()).status, 0);
  const auto lines = lines_of(w.text("trace"));
  // Cycle, node, pc, function, instruction, result; the source's line follows.
  const std::vector<std::string> expected = {
      "         0 0,0   00000000 _start                       addi s0,zero,2           "
      "s0=0x00000002   ",
      "         1 0,0   00000004 _start+0x4                   jal ra,10                "
      "ra=0x00000008   ",
      "         4 0,0   00000010 twice                        lw a0,1026(zero)         "
      "a0=0x00000000   ",
      "         7 0,0   00000014 twice+0x4                    mul a0,s0,s0             "
      "a0=0x00000004   ",
      "         9 0,0   00000018 twice+0x8                    jalr zero,0(ra)          "
      "                ",
      "        12 0,0   00000008 _start+0x8                   jal ra,10                "
      "ra=0x0000000c   "};
  ASSERT_EQ(lines.size(), 1u + 10u);
  EXPECT_THAT(lines[0], StartsWith("#    cycle node        pc function"));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_THAT(lines[i + 1], StartsWith(expected[i]));
  }
  EXPECT_THAT(lines[1], HasSubstr("small.S:7"));
  EXPECT_THAT(lines[4], HasSubstr("small.S:15"));
  EXPECT_THAT(lines[10],
              AllOf(StartsWith("        23 0,0   0000000c _start+0xc"), HasSubstr("wfi")));
}

TEST(FirmwareTrace, FindsTheLinesOfEverySource) {
  // The second source's code begins where the first one's ends.
  const Workplace w;
  w.file("second.S", ".text\n.globl second\nsecond: nop\nwfi\n");
  const std::string elf = compile(w, "first.S", assembly("nop\nnop\n"), "second.S");
  ASSERT_EQ(w.annelid("firmware run " + elf + " --trace " + w.path("trace").string()).status, 0);
  const auto lines = lines_of(w.text("trace"));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_THAT(lines[2], HasSubstr("first.S:7"));
  EXPECT_THAT(lines[3], AllOf(HasSubstr(" second "), HasSubstr("second.S:3")));
  EXPECT_THAT(lines[4], HasSubstr("second.S:4"));
}

TEST(FirmwareTrace, NamesALineBelowTheWorkingFolderByItsPathFromThere) {
  const Workplace w;
  const std::string elf =
      compile(w, "here.S", "# 1 \"" ANNELID_SOURCE_DIR "/firmware/there.S\"\n" + assembly("wfi\n"));
  const Outcome o = w.annelid("firmware run " + elf);
  EXPECT_THAT(o.out, HasSubstr("_start firmware/there.S:6\n"));
}

TEST(FirmwareTrace, DoesWithoutDebugInformation) {
  const Workplace w;
  const std::string elf = compile(w, "small.S", assembly(kSmall));
  ASSERT_EQ(std::system(("riscv64-unknown-elf-strip " + elf).c_str()), 0);
  const Outcome o = w.annelid("firmware run " + elf + " --trace " + w.path("trace").string());
  EXPECT_EQ(o.status, 0);
  EXPECT_THAT(o.out, HasSubstr("asleep for good at 0x0000000c\n"));
  EXPECT_THAT(lines_of(w.text("trace"))[1],
              ::testing::StrEq("         0 0,0   00000000 ?                            "
                               "addi s0,zero,2           s0=0x00000002"));
}

TEST(FirmwareTrace, OfSeveralNodesIsInTheOrderOfCyclesAndChangesNothing) {
  const Workplace w;
  const std::string elf = compile(w, "ring.c", std::string(kStart) + kRing);
  const std::string command = "firmware run " + elf + " --size 3x2";
  const Outcome plain = w.annelid(command);
  const Outcome traced = w.annelid(command + " --trace " + w.path("trace").string());
  EXPECT_EQ(plain.out, traced.out) << "cycles and instructions of each node";
  std::map<std::string, int> nodes;
  long last = 0;
  for (const std::string& line : lines_of(w.text("trace"))) {
    if (line[0] == '#') continue;
    std::istringstream in(line);
    long cycle = 0;
    std::string node;
    in >> cycle >> node;
    ASSERT_GE(cycle, last);
    last = cycle;
    ++nodes[node];
  }
  EXPECT_EQ(nodes.size(), 6u);
  ASSERT_EQ(w.annelid(command + " --trace-node 1,5 --trace " + w.path("some").string()).status, 0);
  EXPECT_EQ(static_cast<int>(lines_of(w.text("some")).size()), 1 + nodes["1,0"] + nodes["2,1"]);
}

TEST(FirmwareTrace, ShowsTrapsAndInterrupts) {
  const Workplace w;
  const std::string elf =
      compile(w, "trap.S",
              assembly("la t0, handler\ncsrw mtvec, t0\nlui a0, 0x40000\nsw x0, 0x3c(a0)\n"
                       "sw x0, 0x38(a0)\nli a1, 0x80\ncsrw mie, a1\ncsrsi mstatus, 8\nnop\n"
                       "handler: csrw mtvec, x0\nlw a1, 2(a0)\n"));
  EXPECT_EQ(w.annelid("firmware run " + elf + " --trace " + w.path("trace").string()).status, 1);
  EXPECT_THAT(w.text("trace"),
              AllOf(HasSubstr("         9 0,0   00000024 _start+0x24                  -- timer "
                              "interrupt"),
                    HasSubstr("        12 0,0   00000028"),
                    HasSubstr("-- load access fault     mtval=0x40000002")));
}

TEST(FirmwareProfile, GivesEachFunctionItsCyclesAndInstructions) {
  const Workplace w;
  const std::string elf = compile(w, "small.S", assembly(kSmall));
  const std::string file = w.path("profile").string();
  const Outcome o = w.annelid("firmware run " + elf + " --size 2x1 --profile=" + file);
  ASSERT_EQ(o.status, 0) << o.err;
  // Each node has twice 2 (3 + 2 + 3) cycles, _start 1 + 3 + 3 + 1.
  EXPECT_EQ(w.text("profile"),
            "percent         cycles   instructions  function\n"
            "  66.67             32             12  twice\n"
            "  33.33             16              8  _start\n"
            "                    48             20  all, awake\n"
            "                     0                 asleep in WFI\n");
  const Outcome printed = w.annelid("firmware run " + elf + " --size 2x1 --profile");
  EXPECT_THAT(printed.out, HasSubstr("\n\n" + w.text("profile")));
}

TEST(FirmwareProfile, IsByLineOrByStackToo) {
  const Workplace w;
  const std::string elf = compile(w, "small.S", assembly(kSmall));
  const std::string run = "firmware run " + elf + " --size 2x1 --quiet --profile --profile-by ";
  EXPECT_THAT(w.annelid(run + "line").out,
              AllOf(HasSubstr("  source line  function\n"), HasSubstr("small.S:"),
                    HasSubstr("                    48             20  all, awake\n")));
  EXPECT_EQ(w.annelid(run + "folded").out, "\n_start 16\n_start;twice 32\n");
}

TEST(FirmwareProfile, CountsSleepApart) {
  const Workplace w;
  // WFI in cycle 7; the timer's cycle 400 is seen in 401.
  const std::string elf =
      compile(w, "sleep.S",
              assembly("lui a0, 0x40000\nsw x0, 0x3c(a0)\nli a1, 400\nsw a1, 0x38(a0)\n"
                       "li a1, 0x80\ncsrw mie, a1\nwfi\nli a0, 0\nli a7, 93\necall\n"));
  const Outcome o = w.annelid("firmware run " + elf + " --profile");
  EXPECT_THAT(o.out, HasSubstr(" 9              9  all, awake\n"));
  EXPECT_THAT(o.out, HasSubstr(" 394                 asleep in WFI\n"));
}

// ---- Bad input ----------------------------------------------------------------------------------

class BadInput : public ::testing::TestWithParam<Refusal> {};

TEST_P(BadInput, IsRefusedWithWhatWasFoundAndExpected) {
  const Workplace w;
  const std::string elf = compile(w, "end.S", assembly("wfi\n"));
  const std::string arguments = GetParam().arguments;
  const std::size_t at = arguments.find("ELF");
  const std::string given = at == std::string::npos
                                ? arguments
                                : arguments.substr(0, at) + elf + arguments.substr(at + 3);
  expect_refused(w, w.annelid("firmware " + given), GetParam().parts);
}

INSTANTIATE_TEST_SUITE_P(
    Of, BadInput,
    ::testing::Values(
        Refusal{"NoProgram", "run", {"elf", "required"}},
        Refusal{"MissingFile", "run no.elf", {"no.elf", "readable file"}},
        Refusal{"NoElf", "run README.md", {"README.md", "no ELF file", "RV32"}},
        Refusal{"HostElf", "run build/../../../../bin/true", {"true"}},
        Refusal{"SizeZero", "run ELF --size 0", {"--size", "found 0", "1..256"}},
        Refusal{"NoCycles", "run ELF --cycles 0", {"--cycles", "0"}},
        Refusal{
            "TraceNode", "run ELF --trace x --trace-node 1", {"--trace-node", "\"1\"", "0 to 0"}},
        Refusal{"UnwritableTrace", "run ELF --trace /proc/x", {"--trace", "cannot be written"}},
        Refusal{"ProfileByAlone",
                "run ELF --profile-by line",
                {"--profile-by", "the option without --profile"}},
        Refusal{"ProfileByOther",
                "run ELF --profile --profile-by lines",
                {"--profile-by", "lines", "callgrind"}},
        Refusal{
            "UnwritableProfile", "run ELF --profile=/proc/x", {"--profile", "cannot be written"}},
        Refusal{"Eager", "run ELF --eager-bytes 12", {"--eager-bytes", "12"}}),
    name_of);

}  // namespace
}  // namespace annelid::end_to_end
