// Branches, jumps, and what every instruction costs (docs/internals/nic/core.md).
#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <sstream>

#include "testbench/core/assemble.hpp"

namespace annelid::test {
namespace {

TEST(CoreControl, BranchesCompareAsTheirNamesSay) {
  using Compared = std::int64_t;
  const auto s = [](Compared v) { return v < (Compared{1} << 31) ? v : v - (Compared{1} << 32); };
  const std::map<std::string, std::function<bool(Compared, Compared)>> kBranches = {
      {"beq", [](Compared a, Compared b) { return a == b; }},
      {"bne", [](Compared a, Compared b) { return a != b; }},
      {"blt", [&](Compared a, Compared b) { return s(a) < s(b); }},
      {"bge", [&](Compared a, Compared b) { return s(a) >= s(b); }},
      {"bltu", [](Compared a, Compared b) { return a < b; }},
      {"bgeu", [](Compared a, Compared b) { return a >= b; }}};
  constexpr std::uint32_t kEdges[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff};
  for (const auto& [name, taken] : kBranches) {
    std::string text;
    std::vector<std::uint32_t> expected;
    for (const std::uint32_t a : kEdges) {
      for (const std::uint32_t b : kEdges) {
        text += li("a0", a) + li("a1", b) + "li a2, 1\n" + name +
                " a0, a1, 1f\nli a2, 0\n1: sw a2, 0(s0)\n";
        expected.push_back(taken(a, b) ? 1 : 0);
      }
    }
    EXPECT_EQ(stored_by(text), expected) << name;
  }
}

/// Stores 1 if `jump` passes over a gap of that many bytes of zeros, which are illegal
/// instructions.
std::string over(const std::string& jump, int gap) {
  std::ostringstream text;
  text << "li a0, 1\n" << jump << " .+4+" << gap << "\n.zero " << gap << "\nsw a0, 0(s0)\n";
  return text.str();
}

TEST(CoreControl, BranchesAndJumpsReachTheEndsOfTheirRange) {
  // Each jump is as far as its immediate allows in 128 KiB, so that every bit of it counts.
  EXPECT_THAT(stored_by("j 2f\n"
                        "1: li a0, 1\nsw a0, 0(s0)\nj 3f\n"
                        ".zero 4076\n"
                        "2: beq x0, x0, 1b\n"
                        "3: li a0, 2\nsw a0, 0(s0)\nbeq x0, x0, 4f\n.zero 4088\n"
                        "4: li a0, 3\nsw a0, 0(s0)\nj 6f\n"
                        "5: li a0, 4\nsw a0, 0(s0)\nj 7f\n.zero 100000\n"
                        "6: j 5b\n"
                        "7: li a0, 5\nsw a0, 0(s0)\n"),
              testing::ElementsAre(1, 2, 3, 4, 5));
  for (int distance = 4; distance < 0x1000; distance *= 2) {
    EXPECT_THAT(stored_by(over("bne s0, x0,", distance)), testing::ElementsAre(1)) << distance;
  }
  for (int distance = 4; distance < 0x10000; distance *= 2) {
    EXPECT_THAT(stored_by(over("jal x0,", distance)), testing::ElementsAre(1)) << distance;
  }
}

TEST(CoreControl, JumpsLinkTheAddressAfterThem) {
  EXPECT_THAT(stored_by("jal a0, 1f\nnop\n1: sw a0, 0(s0)\n"                   // at 4
                        "la a1, 2f\njalr a2, 0(a1)\nnop\n2: sw a2, 0(s0)\n"),  // jalr at 24
              testing::ElementsAre(8u, 28u));
}

TEST(CoreControl, JalrClearsTheLowestBitAndReadsItsBaseBeforeItLinks) {
  EXPECT_THAT(stored_by("la a1, 1f\njalr a1, 1(a1)\nli a1, 0\n1: sw a1, 0(s0)\n"  // jalr at 12
                        "la a1, 2f+2048\njalr a0, -2047(a1)\nli a1, 0\n2: sw a0, 0(s0)\n"),  // 32
              testing::ElementsAre(16u, 36u));
}

struct Cost {
  const char* instruction;
  Cycle cycles;
};

TEST(CoreControl, EveryInstructionCostsTheCyclesOfTheTable) {
  constexpr Cost kCosts[] = {{"lui a0, 5", 1},
                             {"auipc a0, 5", 1},
                             {"addi a0, a0, 1", 1},
                             {"slti a0, a0, 1", 1},
                             {"sltiu a0, a0, 1", 1},
                             {"xori a0, a0, 1", 1},
                             {"ori a0, a0, 1", 1},
                             {"andi a0, a0, 1", 1},
                             {"slli a0, a0, 31", 1},
                             {"srli a0, a0, 31", 1},
                             {"srai a0, a0, 31", 1},
                             {"add a0, a0, a0", 1},
                             {"sub a0, a0, a0", 1},
                             {"sll a0, a0, a0", 1},
                             {"slt a0, a0, a0", 1},
                             {"sltu a0, a0, a0", 1},
                             {"xor a0, a0, a0", 1},
                             {"srl a0, a0, a0", 1},
                             {"sra a0, a0, a0", 1},
                             {"or a0, a0, a0", 1},
                             {"and a0, a0, a0", 1},
                             {"fence", 1},
                             {"fence.i", 3},
                             {"csrr a0, mcycle", 1},
                             {"csrr a0, mhartid", 1},
                             {"sb a0, 1024(x0)", 1},
                             {"sh a0, 1025(x0)", 1},
                             {"sh a0, 1027(x0)", 2},
                             {"sw a0, 1024(x0)", 1},
                             {"sw a0, 1025(x0)", 2},
                             {"sw a0, 1027(x0)", 2},
                             {"lb a0, 1024(x0)", 2},
                             {"lbu a0, 1024(x0)", 2},
                             {"lh a0, 1025(x0)", 2},
                             {"lhu a0, 1025(x0)", 2},
                             {"lw a0, 1024(x0)", 2},
                             {"lh a0, 1027(x0)", 3},
                             {"lhu a0, 1027(x0)", 3},
                             {"lw a0, 1025(x0)", 3},
                             {"lw a0, 1026(x0)", 3},
                             {"lw a0, 1027(x0)", 3},
                             {"mul a0, a0, a0", 2},
                             {"mulh a0, a0, a0", 2},
                             {"mulhsu a0, a0, a0", 2},
                             {"mulhu a0, a0, a0", 2},
                             {"div a0, a0, a0", 34},
                             {"divu a0, a0, x0", 34},
                             {"rem a0, a0, a0", 34},
                             {"remu a0, a0, x0", 34},
                             {"beq x0, x0, 1f\n1:", 3},
                             {"bge x0, x0, 1f\n1:", 3},
                             {"bgeu x0, x0, 1f\n1:", 3},
                             {"bne s0, x0, 1f\n1:", 3},
                             {"blt s0, x0, 1f\n1:", 3},
                             {"bltu x0, s0, 1f\n1:", 3},
                             {"beq s0, x0, 1f\n1:", 1},
                             {"bne x0, x0, 1f\n1:", 1},
                             {"blt x0, s0, 1f\n1:", 1},
                             {"bge s0, x0, 1f\n1:", 1},
                             {"bltu s0, x0, 1f\n1:", 1},
                             {"bgeu x0, s0, 1f\n1:", 1},
                             {"jal a0, 1f\n1:", 3},
                             {"auipc a0, 0", 1},
                             {"jalr a0, 8(a0)\nnop", 3},
                             {"add x0, x0, x0", 1}};
  std::string text = li("s0", kOutside);
  for (const Cost& cost : kCosts) text += std::string(cost.instruction) + "\n";
  nic::Core core(assemble(text), 0);
  core.run(1, {});  // li
  std::uint64_t instructions = 1;
  for (const Cost& cost : kCosts) {
    const Cycle before = core.time();
    ASSERT_EQ(core.run(before + 1, {}), nic::Core::State::kRunning) << cost.instruction;
    EXPECT_EQ(core.time() - before, cost.cycles) << cost.instruction;
    EXPECT_EQ(core.instructions(), ++instructions);
  }
}

TEST(CoreControl, AnAccessOutsideRamHappensInTheFirstOfItsCycles) {
  // As many as in RAM, but a word boundary costs nothing there.
  constexpr Cost kAccesses[] = {{"lb a0, 0(s0)", 2}, {"lw a0, 0(s0)", 2}, {"lw a0, 1(s0)", 2},
                                {"sb a0, 1(s0)", 1}, {"sw a0, 0(s0)", 1}, {"sw a0, 1(s0)", 1}};
  for (const auto& [access, cycles] : kAccesses) {
    nic::Core core(assemble(li("s0", kOutside) + "div a0, s0, s0\n" + access), 0);
    ASSERT_EQ(core.run(kManyCycles, {}), nic::Core::State::kBus);
    EXPECT_EQ(core.time(), 1u + 34u) << access;
    EXPECT_EQ(core.instructions(), 2u);
    EXPECT_EQ(core.run(kManyCycles, {}), nic::Core::State::kBus) << "it waits for finish()";
    core.finish(0);
    EXPECT_EQ(core.time(), 1u + 34u + cycles) << access;
    EXPECT_EQ(core.instructions(), 3u);
  }
}

TEST(CoreControl, ALimitThatIsReachedEndsTheRunBeforeTheNextInstruction) {
  nic::Core core(assemble("div a0, a0, a0\nnop\nnop\n"), 0);
  EXPECT_EQ(core.run(0, {}), nic::Core::State::kRunning);
  EXPECT_EQ(core.instructions(), 0u);
  core.run(34, {});
  EXPECT_EQ(core.instructions(), 1u);
  EXPECT_EQ(core.time(), 34u);
  core.run(35, {});
  EXPECT_EQ(core.instructions(), 2u);
}

TEST(CoreControl, WfiEndsTheRunAndGoesOnWhereItIsWoken) {
  nic::Core core(assemble("nop\nwfi\ncsrr a0, mcycle\nebreak\n"), 0);
  EXPECT_EQ(core.run(kManyCycles, {}), nic::Core::State::kAsleep);
  EXPECT_EQ(core.time(), 2u) << "the first cycle in which it could go on";
  EXPECT_EQ(core.instructions(), 2u);
  EXPECT_EQ(core.run(kManyCycles, {}), nic::Core::State::kAsleep) << "only wake() ends it";
  core.wake(100);
  EXPECT_EQ(core.time(), 100u);
  EXPECT_EQ(core.run(kManyCycles, {}), nic::Core::State::kHalted);
  EXPECT_EQ(core.reg(10), 100u);
  EXPECT_EQ(core.instructions(), 3u);
}

}  // namespace
}  // namespace annelid::test
