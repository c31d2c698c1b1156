// annelid run --gdb: a collective under gdb-multiarch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "testbench/end_to_end/gdb_session.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kRun =
    "run --operation broadcast --algorithm binomial --size 2x2 --bytes 64 --out run";

/// Without the time that it takes, and without the number of instructions: with gdb, as with a
/// trace, no core runs ahead of the network, so none is ahead of it at the end.
std::string comparable(const std::string& text) {
  return std::regex_replace(text, std::regex("simulated in [^)]*|[0-9]+ instructions"), "");
}

TEST(RunGdb, ACollectiveIsDebuggedAndStaysAsItIs) {
  const Workplace w;
  const Outcome alone = w.shell(std::string("$A ") + kRun);
  const Session s = debug(w, FIRMWARE_ELF,
                          "break annelid::firmware::Node::take_call thread 3\ncontinue\n"
                          "print $_thread\ninfo threads\nbacktrace\ndelete\nstepi\ncontinue\n",
                          kRun);
  EXPECT_EQ(s.status, "0\n");
  EXPECT_EQ(comparable(s.run), comparable(alone.out));
  EXPECT_THAT(s.gdb, AllOf(HasSubstr("$1 = 3\n"), HasSubstr("(node 0,1)"), HasSubstr("in _start"),
                           Not(HasSubstr("corrupt stack")), HasSubstr("exited normally]")))
      << s.gdb;
}

TEST(RunGdb, ARunThatFailsStopsALastTime) {
  const Workplace w;
  const Session s = debug(w, FIRMWARE_ELF, "continue\nprint $_thread\nbacktrace\ncontinue\n",
                          std::string(kRun) + " --cycle-limit 400");
  EXPECT_EQ(s.status, "1\n");
  EXPECT_THAT(s.gdb, AllOf(HasSubstr("SIGABRT"), HasSubstr("$1 = 1\n"), HasSubstr("in _start"),
                           HasSubstr("exited with code 01]")));
  EXPECT_THAT(w.text("port.txt"), HasSubstr("cycle limit: 400 cycles are over"));
}

TEST(RunGdb, TheRunEndsWhenGdbKillsIt) {
  const Workplace w;
  EXPECT_EQ(debug(w, FIRMWARE_ELF, "kill\n", kRun).status, "1\n");
  EXPECT_THAT(w.text("port.txt"), HasSubstr("gdb has ended the run before cycle 0"));
}

TEST(RunGdb, OnlyCoresAreDebugged) {
  const Workplace w;
  expect_refused(w,
                 w.annelid("run --operation broadcast --size 2x2 --bytes 8 --firmware native "
                           "--gdb 0 --out " +
                           w.path("out").string()),
                 {"--gdb: found native firmware"});
}

}  // namespace
}  // namespace annelid::end_to_end
