// annelid firmware run --gdb, with a scripted gdb-multiarch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/end_to_end/gdb_session.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A program in which the nodes add up their numbers; `twice` is called with each node's own.
constexpr const char* kProgram = R"(#include <intercom.h>
#include <nic.h>
#include <stdio.h>
NIC_MEMORY static unsigned sum;
__attribute__((noinline)) static unsigned twice(unsigned n) {
  __asm__ volatile("");
  return 2 * n;
}
int main(void) {
  unsigned mine = twice(nic_node() + 20);
  nic_combine_to_all(&mine, &sum, 1, NIC_UINT32, NIC_SUM, NULL, 0);
  printf("%u at %llu\n", sum, nic_cycle());
  return 0;
}
)";

std::string program(const Workplace& w) { return build_program(w, kProgram); }

TEST(FirmwareGdb, TheRunIsTheSameWithBreakpointsAndSteps) {
  const Workplace w;
  const std::string elf = program(w);
  const Outcome alone = w.annelid("firmware run " + elf + " --size 2x2");
  const Session s =
      debug(w, elf, "break twice\ncontinue\nstepi\nstepi\nfinish\ncontinue\ndelete\ncontinue\n");
  EXPECT_EQ(s.status, "0\n");
  EXPECT_EQ(s.run, alone.out) << "cycles, instructions and lines";
}

TEST(FirmwareGdb, EachNodeIsAThreadThatStopsAtItsBreakpoint) {
  const Workplace w;
  const std::string elf = program(w);
  const Session s =
      debug(w, elf,
            "info threads\nbreak twice\ncontinue\nprint n\nbacktrace\ncontinue\nprint n\n"
            "continue\nprint n\ncontinue\nprint n\ndelete\ncontinue\n");
  for (const char* node : {"node 0,0", "node 1,0", "node 0,1", "node 1,1"}) {
    EXPECT_THAT(s.gdb, HasSubstr(node));
  }
  for (const char* value : {"= 20\n", "= 21\n", "= 22\n", "= 23\n"}) {
    EXPECT_THAT(s.gdb, HasSubstr(value)) << "each node stops once";
  }
  EXPECT_THAT(s.gdb, AllOf(HasSubstr("hit Breakpoint 1, twice (n="), HasSubstr("#1  "),
                           HasSubstr("main () at "), HasSubstr("exited normally]")));
  EXPECT_EQ(s.status, "0\n");
}

TEST(FirmwareGdb, ABreakpointOfOneNodeStopsThatNode) {
  const Workplace w;
  const std::string elf = program(w);
  const Session s =
      debug(w, elf, "break twice thread 3\ncontinue\nprint n\nprint $_thread\ndelete\ncontinue\n");
  EXPECT_THAT(s.gdb,
              AllOf(HasSubstr("$1 = 22\n"), HasSubstr("$2 = 3\n"), HasSubstr("exited normally]")));
}

TEST(FirmwareGdb, RegistersAndMemoriesCanBeRead) {
  const Workplace w;
  const std::string elf = program(w);
  const Session s =
      debug(w, elf,
            "break printf\ncontinue\nprint sum\nprint/x $sp > 0x2c000\nprint/x *(unsigned*)0\n"
            "thread 2\nstepi\ninfo registers pc\ndelete\nprint *(int*)0x50000000\n");
  EXPECT_THAT(s.gdb, AllOf(HasSubstr("$1 = 172\n"), HasSubstr("$2 = 0x1\n"), HasSubstr("$3 = 0x"),
                           HasSubstr("Cannot access memory at address 0x50000000"),
                           HasSubstr("pc             0x")));
}

/// gdb steps by breakpoints of its own. Other debuggers leave it to the server.
TEST(FirmwareGdb, AStepIsAnInstructionOfItsThread) {
  const Workplace w;
  const std::string elf = program(w);
  const Outcome o = ask(w, elf, "'?' s p20 s p20 'vCont;s:2' p20 m50000000,4 D");
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out,
            "? T05thread:1;\ns T05thread:1;\np20 04000000\ns T05thread:1;\np20 08000000\n"
            "vCont;s:2 T05thread:2;\np20 0c000000\nm50000000,4 E14\nD OK\n");
}

TEST(FirmwareGdb, ATrapShowsItsPlace) {
  const Workplace w;
  const std::string elf = w.path("trap.elf").string();
  const std::string source = w.file("trap.c",
                                    "#include <nic.h>\n"
                                    "int main(void) {\n"
                                    "  if (nic_node() == 2) return *(volatile int*)0x50000000;\n"
                                    "  return 0;\n"
                                    "}\n");
  ASSERT_EQ(w.annelid("firmware build " + source + " -o " + elf).status, 0);
  const Session s = debug(w, elf, "continue\nprint $_thread\nbacktrace\ncontinue\n");
  EXPECT_THAT(s.gdb, AllOf(HasSubstr("SIGSEGV"), HasSubstr("= 3\n"), HasSubstr("main () at "),
                           HasSubstr("trap.c:3")));
  EXPECT_EQ(s.status, "1\n");
}

/// gdb cannot know where MRET leads, so the server makes the step.
TEST(FirmwareGdb, AStepOverMretEndsWhereItLeads) {
  const Workplace w;
  const std::string elf = build_program(w, R"(int main(void) {
  __asm__ volatile("la t0, there\n csrw mepc, t0\n"
                   "before: mret\n nop\n nop\n there: nop\n" ::: "t0");
  return 0;
}
)");
  const Session s =
      debug(w, elf,
            "break *before thread 1\ncontinue\nstepi\nprint (long)&there - (long)$pc\ndelete\n"
            "continue\n");
  EXPECT_THAT(s.gdb, AllOf(HasSubstr("$1 = 0\n"), HasSubstr("exited normally]"))) << s.gdb;
}

/// The start-up code has no caller, and says so.
TEST(FirmwareGdb, ABacktraceEndsWhereTheProgramStarts) {
  const Workplace w;
  const Session s = debug(w, program(w),
                          "set backtrace past-main on\nbacktrace\nbreak twice\ncontinue\n"
                          "backtrace\n");
  EXPECT_THAT(s.gdb,
              AllOf(HasSubstr("#0  0x00000000 in _start ()\n"), HasSubstr("#0  twice (n=20)"),
                    HasSubstr(" in _start ()\n[Inferior"), Not(HasSubstr("corrupt stack"))))
      << s.gdb;
}

/// gdb is interrupted as by Ctrl-C, while it waits for a program that has printed a line.
TEST(FirmwareGdb, CtrlCStopsAProgramThatRuns) {
  const Workplace w;
  const std::string elf = build_program(w, R"(#include <stdio.h>
volatile int done;
int main(void) {
  fprintf(stderr, "runs\n");
  for (volatile int i = 0; i < 1000000; ++i) continue;
  fprintf(stderr, "so the line before is printed\n");
  while (!done) continue;
  return 0;
}
)");
  w.file("interrupt.py", R"py(import re, signal, subprocess, sys
run = subprocess.Popen([sys.argv[1], "firmware", "run", sys.argv[2], "--gdb", "0"],
                       stderr=subprocess.PIPE, text=True)
port = re.search(r"localhost:(\d+)", run.stderr.readline())[1]
gdb = subprocess.Popen(["gdb-multiarch", "-nx", "-batch", "-ex", "target remote localhost:" + port,
                        "-ex", "continue", "-ex", "info symbol $pc", "-ex", "set var done = 1",
                        "-ex", "continue", sys.argv[2]], stdout=subprocess.PIPE, text=True)
run.stderr.readline()
gdb.send_signal(signal.SIGINT)
print(gdb.communicate(timeout=60)[0])
sys.exit(run.wait())
)py");
  const Outcome o = w.shell("python3 interrupt.py $A " + elf);
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out,
              AllOf(HasSubstr("SIGINT"), HasSubstr("main + "), HasSubstr("exited normally]")));
}

TEST(FirmwareGdb, TheRunGoesOnWhenGdbLeavesAndEndsWhenGdbKillsIt) {
  const Workplace w;
  const std::string elf = program(w);
  const Outcome alone = w.annelid("firmware run " + elf + " --size 2x2");
  EXPECT_EQ(debug(w, elf, "break twice\ncontinue\ndetach\n").run, alone.out);
  const Session killed = debug(w, elf, "break twice\ncontinue\nkill\n");
  EXPECT_EQ(killed.status, "1\n");
  EXPECT_THAT(w.text("port.txt"), HasSubstr("gdb has ended the run before cycle "));
}

TEST(FirmwareGdb, APortThatIsTakenIsRefused) {
  const Workplace w;
  const std::string elf = program(w);
  expect_refused(w, w.annelid("firmware run " + elf + " --gdb 70000"), {"--gdb", "70000"});
  const Outcome o =
      w.shell("$A firmware run " + elf +
              " --gdb 0 > /dev/null 2> port.txt & first=$!; "
              "while ! grep -qs localhost: port.txt; do sleep 0.01; done; "
              "$A firmware run " +
              elf + " --gdb $(sed -n 's/.*localhost://p' port.txt); s=$?; kill $first; exit $s");
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("--gdb: found port "),
                           HasSubstr("a port that this user can listen on")));
}

}  // namespace
}  // namespace annelid::end_to_end
