// gdb's server by itself: scripts of packets, and what it answers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "simulation/debugger/gdb_connection.hpp"
#include "testbench/core/assemble.hpp"
#include "testbench/simulation/gdb_machine.hpp"

namespace annelid::test {
namespace {

using simulation::GdbConnection;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Answers = std::vector<std::string>;

constexpr const char *kFirst = "T05thread:1;", *kSecond = "T05thread:2;",
                     *kInterrupted = "T02thread:1;";
constexpr const char* kExit = "\nli a0, 0\nli a7, 93\necall\n";
constexpr const char* kFour = "nop\nnop\nnop\nnop\n";

/// What the server answers to these packets, without the hexadecimal W at the end of a run.
Answers answers(const std::string& program, const std::vector<std::string>& packets,
                int nodes = 1) {
  std::string said;
  for (const std::string& p : packets) said += p == GdbConnection::kInterrupt ? p : packet(p);
  return packets_in(talk(assemble(program), nodes, said).sent);
}

// ---- Breakpoints --------------------------------------------------------------------------------

TEST(Gdb, AThreadStopsAtABreakpointThatItIsSetTo) {
  EXPECT_THAT(answers(std::string(kFour) + kExit,
                      {"Z0,8,4", "P20=08000000", "c", "p20", "m40000020,4", "z0,8,4", "s", "p20"}),
              ElementsAre("OK", "OK", kFirst, "08000000", "00000000", "OK", kFirst, "0c000000"));
}

TEST(Gdb, AnAddressBehindContinueAndStepIsTheNewPc) {
  EXPECT_THAT(answers(std::string(kFour) + kExit, {"Z0,8,4", "c8", "p20", "s4", "p20", "c2", "sx"}),
              ElementsAre("OK", kFirst, "08000000", kFirst, "08000000", "E01", "E01"));
}

/// A breakpoint that is not taken away is met again, as at a machine of QEMU, but not by a step.
TEST(Gdb, AStepPassesTheBreakpointWhereItBegins) {
  EXPECT_THAT(
      answers(std::string(kFour) + kExit,
              {"Z0,4,4", "c", "c", "p20", "s", "p20", "Z0,8,4", "s", "p20"}),
      ElementsAre("OK", kFirst, kFirst, "04000000", kFirst, "08000000", "OK", kFirst, "0c000000"));
}

TEST(Gdb, EachThreadOfACycleStopsAtABreakpoint) {
  EXPECT_THAT(answers(std::string(kFour) + kExit,
                      {"Z0,4,4", "c", "z0,4,4", "vCont;s:1", "Z0,4,4", "c", "Hg2", "p20", "z0,4,4",
                       "vCont;s:2", "p20", "Z0,8,4", "c", "Hg1", "p20"},
                      2),
              ElementsAre("OK", kFirst, "OK", kFirst, "OK", kSecond, "OK", "04000000", "OK",
                          kSecond, "08000000", "OK", kFirst, "OK", "08000000"));
}

TEST(Gdb, ABreakpointDirectlyBehindTheSleepOfAThreadIsMet) {
  const std::string program =
      "li t0, 0x40000000\nli t1, 50\nli t2, 1 << 7\ncsrw mie, t2\n"
      "sw t1, 0x38(t0)\nsw zero, 0x3c(t0)\nwfi\nnop\n";
  const Answers a = answers(program + kExit, {"Z0,1c,4", "c", "p20", "m40000020,4"});
  EXPECT_THAT(a, ElementsAre("OK", kFirst, "1c000000", "33000000"));
}

/// An interrupt comes first: its handler has run when the thread stops.
TEST(Gdb, AThreadStopsWhereItExecutesNext) {
  const std::string program =
      "li t0, 0x40000000\nla t1, handler\ncsrw mtvec, t1\nli t2, 1 << 7\ncsrw mie, t2\n"
      "sw zero, 0x38(t0)\nsw zero, 0x3c(t0)\nnop\nnop\ncsrsi mstatus, 8\n"
      "there: nop\nnop\n" +
      std::string(kExit) + "handler: li t6, 1\ncsrw mie, zero\nmret\n";
  const Answers a = answers(program, {"Z0,2c,4", "c", "p20", "p1f"});
  EXPECT_THAT(a, ElementsAre("OK", kFirst, "2c000000", "01000000"));
}

TEST(Gdb, WhereNoCodeIsThereIsNoBreakpoint) {
  EXPECT_THAT(answers(kFour, {"Z0,2,4", "Z0,40000,4", "Z0,80000000,4", "Z1,3fffc,4", "z0,2,4"}),
              ElementsAre("E14", "E14", "E14", "OK", "E14"));
}

// ---- Steps --------------------------------------------------------------------------------------

TEST(Gdb, AStepOverMretEndsWhereItLeads) {
  const std::string program = "la t0, there\ncsrw mepc, t0\nnop\nmret\nnop\nnop\nthere: nop\n";
  EXPECT_THAT(answers(program + kExit, {"s", "s", "s", "s", "p20", "s", "p20"}),
              ElementsAre(kFirst, kFirst, kFirst, kFirst, "10000000", kFirst, "1c000000"));
}

/// gdb makes steps by breakpoints where it takes the machine for Linux.
TEST(Gdb, StepsAreLeftToTheServer) {
  const Answers a = answers(
      kFour, {"vCont?", "qXfer:features:read:target.xml:0,4000",
              "qXfer:features:read:target.xml:0,10", "qXfer:features:read:target.xml:8,ffffffff"});
  ASSERT_EQ(a.size(), 4U);
  EXPECT_EQ(a[0], "vCont;c;C;s;S");
  EXPECT_THAT(a[1], AllOf(HasSubstr("<osabi>none</osabi>"), HasSubstr("\"pc\"")));
  EXPECT_EQ(a[2], "m" + a[1].substr(1, 16));
  EXPECT_EQ(a[3], "l" + a[1].substr(9));
}

constexpr const char* kAccesses = R"(
  li t0, 0x40000000
  li t2, -2147483648
  sw zero, 0x80(t0)
  lw t1, 0x04(t0)
  sw t1, 0(t2)
  lw t1, 0(t2)
  nop
)";

/// One thread goes on alone, as with scheduler-locking.
TEST(Gdb, AStopBehindAnAccessIsNotLost) {
  for (const char* how : {"vCont;s:1", "vCont;s:1;c", "s"}) {
    std::vector<std::string> packets;
    Answers expected;
    for (int pc = 4; pc <= 0x1c; pc += 4) {
      packets.insert(packets.end(), {how, "p20"});
      expected.insert(expected.end(), {kFirst, fmt::format("{:02x}000000", pc)});
    }
    EXPECT_EQ(answers(std::string(kAccesses) + kExit, packets), expected) << how;
  }
  std::vector<std::string> packets;
  Answers expected;
  for (int pc = 4; pc <= 0x1c; pc += 4) {
    const std::string at = fmt::format("0,{:x},4", pc);
    packets.insert(packets.end(), {"Z" + at, "vCont;c:1", "p20", "z" + at});
    expected.insert(expected.end(), {"OK", kFirst, fmt::format("{:02x}000000", pc), "OK"});
  }
  EXPECT_EQ(answers(std::string(kAccesses) + kExit, packets), expected) << "by breakpoints";
}

/// What it does is the last thing that happens in the run.
TEST(Gdb, TheLastStepOfARunEndsWithAStop) {
  EXPECT_THAT(answers("nop\nwfi\n", {"s", "s", "p20", "c", "?"}),
              ElementsAre(kFirst, kFirst, "08000000", "W00"));
  EXPECT_THAT(
      answers("li t2, -2147483648\nsw t2, 0(t2)\nwfi\n", {"Z2,80000000,4", "c", "p20", "c", "?"}),
      ElementsAre("OK", "T05thread:1;watch:80000000;", "08000000", "W00"));
}

/// A core that waits for its access takes what gdb writes to a register.
TEST(Gdb, ARegisterThatChangesBeforeAnAccessChangesTheAccess) {
  nic::Core core(assemble("li t2, -2147483648\nsw t1, 0(t2)\n"), 0);
  ASSERT_EQ(core.run(100, {}), nic::Core::State::kBus);
  core.set_reg(6, 5);
  ASSERT_EQ(core.run(100, {}), nic::Core::State::kBus);
  EXPECT_EQ(core.access().value, 5U);
}

// ---- Interrupts ---------------------------------------------------------------------------------

/// gdb's manual: it is queued, and interrupts the machine when it goes on.
TEST(Gdb, AnInterruptOfAMachineThatStandsHasNoAnswer) {
  EXPECT_THAT(answers(std::string(kFour) + kExit, {"\x03", "?", "c", "p20", "s", "p20"}),
              ElementsAre(kFirst, kInterrupted, "00000000", kFirst, "04000000"));
}

TEST(Gdb, AnInterruptStopsARunningMachine) {
  EXPECT_THAT(answers("loop: j loop\n", {"c", "\x03", "?", "c", "\x03"}),
              ElementsAre(kInterrupted, kInterrupted, kInterrupted));
}

/// The cycle limit stops it.
TEST(Gdb, APacketForARunningMachineWaitsUntilItStops) {
  EXPECT_THAT(answers("loop: j loop\n", {"c", "p20", "p0", "c"}),
              ElementsAre("T06thread:1;", "00000000", "00000000", "W01"));
}

/// What is watched takes time in each cycle.
TEST(Gdb, AMachineThatIsWatchedHearsInterrupts) {
  constexpr const char* kWidest = "Z2,80000000,1000";
  const Answers a = answers("loop: j loop\n", {kWidest, "c", "\x03", "m40000020,4"}, 2);
  ASSERT_EQ(a.size(), 3U);
  EXPECT_EQ(a[1], kInterrupted);
  EXPECT_THAT(a[2], ::testing::EndsWith("000000")) << "less than 256 cycles later";
}

TEST(Gdb, WatchpointsAreLimited) {
  std::vector<std::string> packets = {
      "Z2,80000000,ffffffff", "Z4,80000000,1001", "Z2,80000000,fff", "Z3,0,2", "Z3,0,1",
      "Z2,80000000,fff",      "z2,80000000,fff",  "z3,0,1"};
  Answers expected = {"E28", "E28", "OK", "E28", "OK", "OK", "OK", "OK"};
  for (unsigned i = 0; i < 33; ++i) {
    packets.push_back(fmt::format("Z2,{:x},1", i));
    expected.push_back(i < 32 ? "OK" : "E28");
  }
  EXPECT_EQ(answers(kFour, packets), expected);
}

// ---- The line -----------------------------------------------------------------------------------

TEST(Gdb, APacketThatIsTooLongEndsTheSession) {
  constexpr std::size_t kLongest = 16'384;
  const std::string supported = answers(kFour, {"qSupported"}).at(0);
  EXPECT_THAT(supported, HasSubstr(fmt::format("PacketSize={:x};", kLongest)));
  const auto asked = [](std::size_t bytes) {
    return answers(std::string(kFour) + kExit, {"?", std::string(bytes, 'y'), "?"});
  };
  EXPECT_THAT(asked(kLongest), ElementsAre(kFirst, "", kFirst));
  EXPECT_THAT(asked(kLongest + 1), ElementsAre(kFirst));
}

TEST(Gdb, TheRunGoesOnWhenGdbIsGone) {
  const GdbTalk alone = talk(assemble(std::string(kFour) + kExit), 1, "");
  EXPECT_EQ(alone.failure, "");
  EXPECT_EQ(alone.ends.at(0).how, simulation::NodeEnd::How::kExited);
  for (const char* said : {"$", "$g", "$g#", "$g#67$c#6", "$D#44$g#67", "}#\x80"}) {
    const GdbTalk t = talk(assemble(std::string(kFour) + kExit), 1, said);
    EXPECT_EQ(t.ends.at(0).cycles, alone.ends.at(0).cycles) << said;
  }
}

TEST(Gdb, AKilledRunFails) {
  EXPECT_THAT(talk(assemble(kFour), 1, packet("s") + packet("k")).failure,
              HasSubstr("gdb has ended the run before cycle 1"));
}

/// Nodes that wait for what does not come are looked at before the run ends.
TEST(Gdb, ARunThatFailsStopsALastTime) {
  EXPECT_THAT(answers("lw t0, 0(sp)\nli t1, 0x50000000\nlw t0, 0(t1)\n", {"c", "p20", "c"}),
              ElementsAre("T0bthread:1;", "08000000", "W01"));
  EXPECT_THAT(answers("loop: j loop\n", {"c", "p20", "c"}),
              ElementsAre("T06thread:1;", "00000000", "W01"))
      << "the cycle limit";
}

/// A socket that is connected to the port, and has sent this text.
simulation::Descriptor connect_and_say(std::uint16_t port, const std::string& text) {
  simulation::Descriptor line(::socket(AF_INET, SOCK_STREAM, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  EXPECT_EQ(::connect(line.number(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(::send(line.number(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  return line;
}

/// A web page can make a browser send nearly anything to a port of this machine.
TEST(GdbPort, HangsUpOnWhoSpeaksAnotherProtocol) {
  simulation::GdbPort port(0);
  const auto browser = connect_and_say(
      port.number(), "POST / HTTP/1.1\r\nContent-Length: 99\r\n\r\n+$M20000,4:00000000#aa");
  const auto silent = connect_and_say(port.number(), "");
  ::shutdown(silent.number(), SHUT_WR);
  const auto gdb = connect_and_say(port.number(), "+$?#3f");
  std::uint16_t told = 0;
  GdbConnection line = port.accept([&](std::uint16_t number) { told = number; });
  EXPECT_EQ(told, port.number());
  EXPECT_EQ(line.receive(), "?");
  char byte = 0;
  EXPECT_LE(::recv(browser.number(), &byte, 1, 0), 0) << "nothing more is said to it";
}

class FirstByte : public ::testing::TestWithParam<char> {};

TEST_P(FirstByte, OfTheProtocolIsAccepted) {
  simulation::GdbPort port(0);
  const auto gdb = connect_and_say(port.number(), std::string(1, GetParam()) + "$?#3f");
  GdbConnection line = port.accept({});
  EXPECT_TRUE(line.receive());
}

INSTANTIATE_TEST_SUITE_P(Gdb, FirstByte, ::testing::Values('+', '-', '\x03'), [](const auto& test) {
  return std::string(test.param == '+' ? "Plus" : test.param == '-' ? "Minus" : "Interrupt");
});

}  // namespace
}  // namespace annelid::test
