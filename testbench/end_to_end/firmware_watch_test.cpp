// annelid firmware run --gdb: watchpoints, and what gdb writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "testbench/end_to_end/gdb_session.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// Node 0 sends what it has counted to node 3, which waits asleep by then.
constexpr const char* kWatchedProgram = R"(#include <nic.h>
#include <stdio.h>
NIC_MEMORY static unsigned inbox, outbox;
static volatile unsigned counter;
__attribute__((noinline)) static unsigned twice(unsigned n) {
  __asm__ volatile("");
  return 2 * n;
}
int main(void) {
  for (unsigned i = 0; i < 3; ++i) counter += nic_node() + 1;
  if (nic_node() == 0) {
    while (nic_cycle() < 5000) {
    }
    outbox = twice(counter) + 0x500;
    nic_send(3, &outbox, sizeof outbox, 1);
  }
  if (nic_node() == 3) nic_receive(0, &inbox, sizeof inbox, 1);
  printf("%u %u at %llu\n", counter, inbox, nic_cycle());
  return 0;
}
)";

TEST(FirmwareWatch, AStoreToRamStopsItsNode) {
  const Workplace w;
  const std::string elf = build_program(w, kWatchedProgram);
  const Outcome alone = w.annelid("firmware run " + elf + " --size 2x2");
  const Session s = debug(w, elf,
                          "watch counter thread 2\ncontinue\nprint $_thread\ncontinue\nprint "
                          "counter\ndelete\ncontinue\n");
  EXPECT_THAT(s.gdb, AllOf(HasSubstr("New value = 2\n"), HasSubstr("$1 = 2\n"),
                           HasSubstr("Old value = 2\nNew value = 4\n"), HasSubstr("$2 = 4\n"),
                           HasSubstr("exited normally]")));
  EXPECT_EQ(s.run, alone.out) << "cycles, instructions and lines";
}

/// All nodes execute the same: they access their own counters in one cycle.
TEST(FirmwareWatch, EachNodeThatAccessesInACycleIsReported) {
  const Workplace w;
  const std::string elf = build_program(w, kWatchedProgram);
  const Session s =
      debug(w, elf,
            "rwatch counter\ncontinue\nprint $_thread\nset $now = *(unsigned*)0x40000020\n"
            "continue\nprint $_thread\nprint *(unsigned*)0x40000020 - $now\n"
            "continue\nprint $_thread\ncontinue\nprint $_thread\n"
            "print *(unsigned*)0x40000020 - $now\ncontinue\nx/i $pc - 4\ndelete\ncontinue\n");
  EXPECT_THAT(s.gdb, AllOf(HasSubstr("\tlw\t"), Not(HasSubstr("\tsw\t"))));
  for (const char* thread :
       {"$1 = 1\n", "$2 = 2\n", "$3 = 0\n", "$4 = 3\n", "$5 = 4\n", "$6 = 0\n"}) {
    EXPECT_THAT(s.gdb, HasSubstr(thread)) << s.gdb;
  }
}

/// The core of node 3 only waits when the message arrives.
TEST(FirmwareWatch, WhatTheNicWritesIsSeen) {
  const Workplace w;
  const std::string elf = build_program(w, kWatchedProgram);
  const Outcome alone = w.annelid("firmware run " + elf + " --size 2x2");
  const Session s = debug(w, elf,
                          "watch inbox thread 4\ncontinue\nx/i $pc - 4\n"
                          "print outbox\ndelete\ncontinue\n");
  EXPECT_THAT(s.gdb, AllOf(HasSubstr("Old value = 0\nNew value = 1286\n"), HasSubstr("\twfi\n"),
                           HasSubstr("exited normally]")));
  EXPECT_EQ(s.run, alone.out);
}

TEST(FirmwareWatch, RegistersOfTheNicAreWatchedAndReadWithoutEffects) {
  const Workplace w;
  const std::string elf = build_program(w, kWatchedProgram);
  const Outcome alone = w.annelid("firmware run " + elf + " --size 2x2");
  const Session s =
      debug(w, elf,
            "print/x *(unsigned*)0x40000000\nawatch *(unsigned*)0x400000ac\ncontinue\n"
            "print $_thread\ndelete\nwatch *(unsigned*)0x400000f0 thread 4\ncontinue\n"
            "print/x *(unsigned*)0x400000f0 & 0xc0000000\n"
            "print/x *(unsigned*)0x400000f0 & 0xc0000000\n"
            "delete\ncontinue\n");
  EXPECT_THAT(s.gdb, AllOf(HasSubstr("$1 = 0x414e4e05\n"), HasSubstr("$2 = 1\n"),
                           HasSubstr("$3 = 0xc0000000\n"), HasSubstr("$4 = 0xc0000000\n"),
                           HasSubstr("exited normally]")));
  EXPECT_EQ(s.run, alone.out) << "reading COMPLETION has taken nothing";
}

/// gdb brings one thread over its breakpoint alone, ahead of the machine.
TEST(FirmwareWatch, AnAccessAtABreakpointIsSeen) {
  const Workplace w;
  const std::string elf = build_program(w, kWatchedProgram);
  const Session s =
      debug(w, elf,
            "watch counter thread 2\ncontinue\nset $store = $pc - 4\nx/i $store\ndelete\n"
            "break *$store thread 3\nwatch counter thread 3\ncontinue\ncontinue\ncontinue\nprint "
            "$_thread\n"
            "delete\ncontinue\n");
  EXPECT_THAT(s.gdb,
              AllOf(HasSubstr("sw\t"), HasSubstr("hit Breakpoint 2"), HasSubstr("New value = 6\n"),
                    HasSubstr("= 3\n"), HasSubstr("exited normally]")))
      << s.gdb;
}

TEST(FirmwareWatch, GdbWritesMemoriesAndRegisters) {
  const Workplace w;
  const std::string elf = build_program(w, kWatchedProgram);
  const Session s = debug(w, elf,
                          "break main thread 2\ncontinue\ndelete\nset var counter = 100\nset var "
                          "inbox = 7\nprint twice(21)\n"
                          "set var *(unsigned*)0x40000100 = 9\nprint *(unsigned*)0x40000100\n"
                          "set var $t0 = 0x123\nprint $t0\n"
                          "break printf thread 2\ncontinue\nprint counter\ndelete\ncontinue\n");
  EXPECT_THAT(s.gdb, AllOf(HasSubstr("$1 = 42\n"), HasSubstr("$2 = 9\n"), HasSubstr("$3 = 291\n"),
                           HasSubstr("exited normally]")));
  EXPECT_THAT(s.run, HasSubstr("106 7 at "));
}

TEST(FirmwareWatch, CodeThatGdbWritesIsExecuted) {
  const Workplace w;
  const std::string elf = build_program(w, kWatchedProgram);
  const Session s = debug(w, elf,
                          "break twice thread 1\ncontinue\ndelete\n"
                          "set var *(unsigned*)&twice = 0x04d00513\n"
                          "set var *((unsigned*)&twice + 1) = 0x00008067\n"
                          "print twice(21)\ncontinue\n");
  EXPECT_THAT(s.gdb, HasSubstr("$1 = 77\n")) << "li a0, 77; ret";
}

/// A go register that gdb writes does what a store of the core does.
TEST(FirmwareWatch, AWriteToAGoRegisterIsAStoreOfTheCore) {
  const Workplace w;
  const std::string elf = build_program(w, R"(#include <nic.h>
#include <stdio.h>
NIC_MEMORY static unsigned word;
int main(void) {
  volatile unsigned* send = (volatile unsigned*)0x40000080;
  const unsigned me = nic_node();
  if (me == 0) word = 77, send[0] = 0x100, send[1] = (unsigned)&word & 0xffff, send[2] = 4;
  printf("described\n");
  if (me == 2) {
    nic_receive(0, &word, sizeof word, 0);
    printf("got %u\n", word);
  }
  return 0;
}
)");
  const Session s = debug(w, elf,
                          "break printf thread 1\ncontinue\nset $space = *(unsigned*)0x400000b0\n"
                          "set var *(unsigned*)0x400000ac = 5\n"
                          "print $space - *(unsigned*)0x400000b0\ndelete\ncontinue\n");
  EXPECT_THAT(s.gdb, HasSubstr("$1 = 1\n")) << s.gdb;
  EXPECT_THAT(s.run, HasSubstr("0,1: got 77"));
}

/// gdb takes a stop at an access for one before it, and asks for a step. The access is done.
TEST(FirmwareWatch, AnAccessIsDoneOnce) {
  const Workplace w;
  const std::string elf =
      build_program(w, "int main(void) { *(volatile unsigned*)0x80001000 = 7; return 0; }");
  const Outcome o = ask(w, elf,
                        "Z2,80001000,4 c m80001000,4 m40000020,4 p20 z2,80001000,4 'vCont;s:1' "
                        "m40000020,4 p20 D");
  std::istringstream text(o.out);
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 10U) << o.out;
  EXPECT_EQ(lines[1], "c T05thread:1;watch:80001000;");
  EXPECT_EQ(lines[2], "m80001000,4 07000000");
  EXPECT_EQ(lines[6], "vCont;s:1 T05thread:1;");
  EXPECT_EQ(lines[7], lines[3]) << "no cycle later";
  EXPECT_EQ(lines[8], lines[4]) << "no instruction further";
}

TEST(FirmwareWatch, WhatCannotBeWrittenIsRefused) {
  const Workplace w;
  const std::string elf = build_program(w, kWatchedProgram);
  for (const char* command :
       {"set var *(char*)0x40000100 = 1", "set var *(unsigned*)0x40000000 = 1",
        "print *(unsigned*)0x400000ac"}) {
    EXPECT_THAT(debug(w, elf, std::string(command) + "\n").gdb,
                HasSubstr("Cannot access memory at address 0x40000"))
        << command;
  }
}

TEST(FirmwareWatch, PacketsThatCannotBeObeyedAreRefused) {
  const Workplace w;
  const std::string elf = build_program(w, kWatchedProgram);
  const Outcome o = ask(w, elf,
                        "P20=02000000 P5=12 P21=00000000 P5=78563412 p5 G00 M20000,2:zz "
                        "M20000,2:1234 m20000,2 M20000,3:1234 'X20000,2:a}\x03' m20000,2 "
                        "M3ffff,2:1234 M40000100,4:01020304 m40000100,4 M40000100,4:00000000 "
                        "M40000102,4:01020304 M40000000,4:00000000 Z2,100,0 Z5,100,4 "
                        "Z2,100,4 z2,100,4 D");
  EXPECT_EQ(o.status, 0);
  EXPECT_EQ(o.out,
            "P20=02000000 E01\nP5=12 E01\nP21=00000000 E01\nP5=78563412 OK\np5 78563412\nG00 E01\n"
            "M20000,2:zz E01\nM20000,2:1234 OK\nm20000,2 1234\nM20000,3:1234 E01\n"
            "X20000,2:a}\x03 OK\nm20000,2 6123\nM3ffff,2:1234 E14\nM40000100,4:01020304 OK\n"
            "m40000100,4 01020304\nM40000100,4:00000000 OK\nM40000102,4:01020304 E14\n"
            "M40000000,4:00000000 E14\nZ2,100,0 E01\nZ5,100,4 \nZ2,100,4 OK\nz2,100,4 OK\nD OK\n");
}

}  // namespace
}  // namespace annelid::end_to_end
