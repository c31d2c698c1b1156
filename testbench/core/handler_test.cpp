// Traps that a handler takes, MRET, and interrupts: what stands in the CSRs, and in which cycles it
// happens. Cycles in comments are those in which the instruction starts.
#include <gmock/gmock.h>

#include "testbench/core/assemble.hpp"
#include "testbench/core/board.hpp"

namespace annelid::test {
namespace {

using testing::ElementsAre;

// The first thing it stores is the cycle in which it starts.
const char* const kHandler = R"(
handler: csrr t0, mcycle
    sw t0, 0(s0)
    csrr t0, mcause
    sw t0, 0(s0)
    csrr t0, mepc
    sw t0, 0(s0)
    csrr t0, mtval
    sw t0, 0(s0)
    csrr t0, mstatus
    sw t0, 0(s0)
    csrw mtvec, x0
    ebreak
)";
constexpr std::uint32_t kMie = 1u << 3, kMpie = 1u << 7, kMpp = 3u << 11;

/// What the handler stores after a trap in `text`, which stands at 20, after 5 instructions of a
/// cycle each.
std::vector<std::uint32_t> report(const std::string& text) {
  Board board;
  board.run(assemble("lui s0, 0x80000\nla t0, handler\ncsrw mtvec, t0\nnop\n" + text + kHandler),
            kManyCycles);
  EXPECT_TRUE(board.trap()) << text << " did not end";
  return board.stored();
}

TEST(CoreTraps, AHandlerStartsThreeCyclesLaterWithCausePcAndValue) {
  struct Case {
    const char* text;
    std::uint32_t cause, value;
  };
  for (const auto& [text, cause, value] :
       {Case{"jalr a0, 26(x0)\n", 0, 26}, Case{"jal a0, .+6\n", 0, 26},
        Case{"beq x0, x0, .+6\n", 0, 26}, Case{".word 0\n", 2, 0},
        Case{".word 0x12345677\n", 2, 0x12345677}, Case{"csrr a0, time\n", 2, 0xc0102573},
        Case{"ebreak\n", 3, 20}, Case{"lw a0, 0x400(s0)\n", 5, 0x80000400},
        Case{"lb a0, -1(x0)\n", 5, 0xffffffff}, Case{"sh a0, 0x3ff(s0)\n", 7, 0x800003ff},
        Case{"ecall\n", 11, 0}}) {
    EXPECT_THAT(report(text), ElementsAre(5 + 3, cause, 20, value, kMpp)) << text;
  }
}

TEST(CoreTraps, AFetchFaultIsTakenAtItsTarget) {
  // The jump itself takes 3 cycles.
  EXPECT_THAT(report("jr s0\n"), ElementsAre(5 + 3 + 3, 1, 0x80000000, 0x80000000, kMpp));
}

TEST(CoreTraps, ATrappingInstructionDoesNotRetireNorWrite) {
  Board board;
  board.run(assemble("lui s0, 0x80000\nla t0, handler\ncsrw mtvec, t0\nli a0, 77\n"
                     "lw a0, 0x400(s0)\n"
                     "handler: csrr a1, minstret\nsw a0, 0(s0)\nsw a1, 0(s0)\n"
                     "csrw mtvec, x0\nebreak\n"),
            kManyCycles);
  EXPECT_THAT(board.stored(), ElementsAre(77, 5));
}

TEST(CoreTraps, MieGoesToMpieAndBackAndMretSetsMpie) {
  // Before the trap, in the handler, after MRET: for MIE clear and set.
  for (const bool enabled : {false, true}) {
    const std::string text = std::string("lui s0, 0x80000\nla t0, handler\ncsrw mtvec, t0\n") +
                             (enabled ? "csrsi mstatus, 8\n" : "csrci mstatus, 8\n") +
                             "csrr a0, mstatus\nsw a0, 0(s0)\necall\ncsrr a0, mstatus\n"
                             "sw a0, 0(s0)\ncsrw mtvec, x0\nebreak\n"
                             "handler: csrr a0, mstatus\nsw a0, 0(s0)\ncsrr a0, mepc\n"
                             "addi a0, a0, 4\ncsrw mepc, a0\nmret\n";
    Board board;
    board.run(assemble(text), kManyCycles);
    const std::uint32_t mie = enabled ? kMie : 0, mpie = enabled ? kMpie : 0;
    EXPECT_THAT(board.stored(), ElementsAre(kMpp | mie, kMpp | mpie, kMpp | mie | kMpie));
  }
}

TEST(CoreTraps, MretTakesThreeCyclesAndGoesToMepc) {
  nic::Core core(assemble("la a0, 1f\ncsrw mepc, a0\nmret\nebreak\nnop\n1: ebreak\n"), 0);
  EXPECT_EQ(core.run(kManyCycles, {}), nic::Core::State::kHalted);
  EXPECT_EQ(core.trap().pc, 24u);
  EXPECT_EQ(core.time(), 3u + 3u);
  EXPECT_EQ(core.instructions(), 4u);
}

TEST(CoreTraps, ATrapInAHandlerReplacesWhatTheFirstOneLeft) {
  Board board;
  board.run(assemble("lui s0, 0x80000\nla t0, first\ncsrw mtvec, t0\ncsrsi mstatus, 8\necall\n"
                     "first: la t0, second\ncsrw mtvec, t0\n1: ebreak\n"
                     "second: csrr a0, mcause\nsw a0, 0(s0)\ncsrr a0, mepc\nla a1, 1b\n"
                     "sub a0, a0, a1\nsw a0, 0(s0)\ncsrr a0, mstatus\nsw a0, 0(s0)\n"
                     "csrw mtvec, x0\nebreak\n"),
            kManyCycles);
  EXPECT_THAT(board.stored(), ElementsAre(3, 0, kMpp));
}

TEST(CoreTraps, AHandlerThatCannotBeFetchedTrapsUntilTheRunEnds) {
  Board board;
  board.run(assemble("li t0, 0x40000000\ncsrw mtvec, t0\necall\n"), 1000);
  EXPECT_FALSE(board.trap());
  EXPECT_EQ(board.instructions(), 2u);
}

TEST(CoreTraps, WhileMtvecIsZeroATrapHaltsInItsOwnCycle) {
  Board board;
  board.run(assemble("lui s0, 0x80000\nsw x0, 0(s0)\nla t0, 1f\ncsrw mtvec, t0\ncsrw mtvec, x0\n"
                     "lw a0, 0(s0)\ndiv a0, a0, a0\n1: lw a0, -4(s0)\n"),
            kManyCycles);
  ASSERT_TRUE(board.trap());
  EXPECT_EQ(board.trap()->cause, 5u);
  EXPECT_EQ(board.trap()->pc, 32u);
  EXPECT_EQ(board.trap()->value, 0x7ffffffcu);
  EXPECT_EQ(board.halted_in(), 6u + 2u + 34u);
  EXPECT_EQ(board.instructions(), 8u);
}

// ---- Interrupts ---------------------------------------------------------------------------------

const std::string kSetUp = "lui s0, 0x80000\nla t0, handler\ncsrw mtvec, t0\n";  // 0 to 3
std::string enable(int bits) {
  return "li t0, " + std::to_string(bits) + "\ncsrw mie, t0\ncsrsi mstatus, 8\n";
}
constexpr int kExternal = 0x800;  // LI takes two instructions for it

TEST(CoreInterrupts, ALevelIsSeenOneCycleAfterItIsRaised) {
  // NOPs from cycle 8 on, one a cycle, at address 32 + 4 (t - 8). Raised in cycle 20, in mip in 21:
  // the NOP of that cycle is not executed.
  Board board({20});
  board.run(assemble(kSetUp + enable(kExternal) + ".rept 40\nnop\n.endr\n" + kHandler),
            kManyCycles);
  EXPECT_THAT(board.stored(), ElementsAre(21 + 3, 0x8000000b, 32 + 4 * (21 - 8), 0, kMpp | kMpie));
}

TEST(CoreInterrupts, AnInstructionUnderWayIsFinishedFirst) {
  // The DIV takes cycles 8 to 41.
  for (const Cycle raised : {8, 20, 40}) {
    Board board({raised});
    board.run(assemble(kSetUp + enable(kExternal) + "div a0, a0, a0\nnop\nnop\n" + kHandler),
              kManyCycles);
    EXPECT_THAT(board.stored(), ElementsAre(42 + 3, 0x8000000b, 36, 0, kMpp | kMpie)) << raised;
  }
}

TEST(CoreInterrupts, EnablingActsOnTheNextInstruction) {
  // Pending from cycle 1. By MIE: set in cycle 7, taken in 8.
  Board board({0});
  board.run(assemble(kSetUp + enable(kExternal) + "1: nop\n" + kHandler), kManyCycles);
  EXPECT_THAT(board.stored(), ElementsAre(8 + 3, 0x8000000b, 32, 0, kMpp | kMpie));
  // By mie: set in cycle 7, after MIE.
  Board other({0});
  other.run(assemble(kSetUp + "li t0, 0x800\ncsrsi mstatus, 8\ncsrw mie, t0\nnop\n" + kHandler),
            kManyCycles);
  EXPECT_THAT(other.stored(), ElementsAre(8 + 3, 0x8000000b, 32, 0, kMpp | kMpie));
}

TEST(CoreInterrupts, DisablingActsOnTheNextInstructionToo) {
  // The event is in mip in the cycle after CSRCI, or in its own.
  Board late({8});
  late.run(assemble(kSetUp + enable(kExternal) +
                    "csrci mstatus, 8\nnop\nnop\ncsrw mtvec, x0\n"
                    "ebreak\n" +
                    kHandler),
           kManyCycles);
  EXPECT_TRUE(late.stored().empty());
  Board early({7});
  early.run(assemble(kSetUp + enable(kExternal) + "csrci mstatus, 8\nnop\n" + kHandler),
            kManyCycles);
  EXPECT_THAT(early.stored(), ElementsAre(8 + 3, 0x8000000b, 32, 0, kMpp | kMpie));
}

TEST(CoreInterrupts, NoneIsTakenWithoutMieNorWithoutItsBitInMie) {
  for (const char* text : {"li t0, 0x880\ncsrw mie, t0\n", "csrsi mstatus, 8\n",
                           "li t0, 0x80\ncsrw mie, t0\ncsrsi mstatus, 8\n"}) {
    Board board({0});
    board.run(assemble(kSetUp + text +
                       ".rept 50\nnop\n.endr\ncsrr a0, mip\nsw a0, 0(s0)\n"
                       "csrw mtvec, x0\nebreak\n" +
                       kHandler),
              kManyCycles);
    EXPECT_THAT(board.stored(), ElementsAre(0x800)) << text;
  }
}

TEST(CoreInterrupts, TheTimerIsSeenOneCycleAfterItsOwn) {
  // Stores of TIMER_HIGH and TIMER in cycles 8 and 9; NOPs from 10 on, at address 40 + 4 (t - 10).
  Board board;
  board.run(assemble(kSetUp +
                     "lui s1, 0x40000\nli t1, 30\nli t0, 0x80\ncsrw mie, t0\n"
                     "sw x0, 12(s1)\nsw t1, 8(s1)\ncsrsi mstatus, 8\n"
                     ".rept 40\nnop\n.endr\n" +
                     kHandler),
            kManyCycles);
  // TIMER holds 0xffffffff, then 30.
  EXPECT_THAT(board.stored(),
              ElementsAre(0, 30, 31 + 3, 0x80000007, 44 + 4 * (31 - 11), 0, kMpp | kMpie));
}

TEST(CoreInterrupts, TheTimerComparesAllItsBits) {
  Board board;
  board.run(assemble(kSetUp +
                     "lui s1, 0x40000\nli t1, 30\nli t0, 0x80\ncsrw mie, t0\nli t2, 1\n"
                     "sw t2, 12(s1)\nsw t1, 8(s1)\ncsrsi mstatus, 8\n"
                     ".rept 40\nnop\n.endr\ncsrw mtvec, x0\nebreak\n" +
                     kHandler),
            kManyCycles);
  EXPECT_THAT(board.stored(), ElementsAre(1, 30));
}

TEST(CoreInterrupts, ATimerThatIsMovedOnIsNotPendingInTheNextCycle) {
  // Pending when MIE is set, unless the store in the cycle before moved it.
  Board board;
  board.run(assemble(kSetUp +
                     "lui s1, 0x40000\nli t0, 0x80\ncsrw mie, t0\n"
                     "sw x0, 12(s1)\nsw x0, 8(s1)\nnop\ncsrr a0, mip\nsw a0, 0(s0)\n"
                     "li t1, -1\nsw t1, 12(s1)\ncsrsi mstatus, 8\nnop\ncsrr a0, mip\n"
                     "sw a0, 0(s0)\ncsrw mtvec, x0\nebreak\n" +
                     kHandler),
            kManyCycles);
  EXPECT_THAT(board.stored(), ElementsAre(0, 0, 0x80, 0xffffffff, 0));
}

TEST(CoreInterrupts, TheExternalOneComesFirst) {
  // Both are pending when MIE is set; the handler takes the event, and the timer's follows.
  Board board({0});
  board.run(assemble("lui s0, 0x80000\nlui s1, 0x40000\nla t0, handler\ncsrw mtvec, t0\n"
                     "li t0, 0x880\ncsrw mie, t0\nsw x0, 12(s1)\nsw x0, 8(s1)\nnop\n"
                     "csrsi mstatus, 8\nnop\nebreak\n"
                     "handler: csrr a0, mcause\nsw a0, 0(s0)\nlw a1, 0(s1)\nbnez a1, 1f\n"
                     "csrw mtvec, x0\nebreak\n1: mret\n"),
            kManyCycles);
  EXPECT_THAT(board.stored(), ElementsAre(0, 0, 0x8000000b, 0x80000007));
}

TEST(CoreInterrupts, ALevelThatStaysIsTakenAgainAfterMret) {
  Board board({0});
  board.run(assemble(kSetUp + enable(kExternal) +
                     "1: nop\nnop\n"
                     "handler: csrr a0, mepc\nsw a0, 0(s0)\naddi s2, s2, 1\nli a1, 3\n"
                     "beq s2, a1, 2f\nmret\n2: csrw mtvec, x0\nebreak\n"),
            kManyCycles);
  EXPECT_THAT(board.stored(), ElementsAre(32, 32, 32)) << "the interrupted NOP never runs";
}

TEST(CoreInterrupts, AnInterruptComesBeforeTheTrapOfItsInstruction) {
  Board board({0});
  board.run(assemble(kSetUp + enable(kExternal) + ".word 0\n" + kHandler), kManyCycles);
  EXPECT_THAT(board.stored(), ElementsAre(8 + 3, 0x8000000b, 32, 0, kMpp | kMpie));
}

TEST(CoreInterrupts, WithoutAHandlerAnInterruptHalts) {
  Board board({10});
  board.run(assemble(enable(kExternal) + ".rept 40\nnop\n.endr\n"), kManyCycles);
  ASSERT_TRUE(board.trap());
  EXPECT_EQ(board.trap()->cause, 0x8000000bu);
  EXPECT_EQ(board.halted_in(), 11u);
}

// ---- WFI ----------------------------------------------------------------------------------------

const std::string kSleep = "lui s0, 0x80000\nli t0, 0x800\ncsrw mie, t0\n";  // 0 to 3

TEST(CoreWfi, SleepsToTheFirstCycleInWhichAnEnabledInterruptIsPending) {
  // WFI in cycle 4. Pending in its cycle or in the next: it costs one cycle.
  struct Case {
    Cycle raised, goes_on;
  };
  for (const auto& [raised, goes_on] :
       {Case{0, 5}, Case{3, 5}, Case{4, 5}, Case{5, 6}, Case{99, 100}, Case{5000, 5001}}) {
    for (const char* mie : {"csrci mstatus, 8\n", ""}) {  // MIE is clear either way
      Board board({raised});
      const Cycle more = *mie == '\0' ? 0 : 1;
      board.run(assemble(kSleep + mie + "wfi\ncsrr a0, mcycle\nsw a0, 0(s0)\nebreak\n"),
                kManyCycles);
      EXPECT_THAT(board.stored(), ElementsAre(std::max(goes_on, 5 + more))) << raised;
      EXPECT_EQ(board.instructions(), more == 0 ? 7u : 8u);
    }
  }
}

TEST(CoreWfi, SleepsOnWhileWhatIsPendingIsNotEnabled) {
  Board board({10});
  board.run(assemble("lui s0, 0x80000\nli t0, 0x80\ncsrw mie, t0\nwfi\nsw t0, 0(s0)\nebreak\n"),
            kManyCycles);
  EXPECT_TRUE(board.stored().empty());
  EXPECT_FALSE(board.trap());
  EXPECT_LT(board.steps(), 5) << "a core that sleeps for good is not stepped";
}

TEST(CoreWfi, TheTimerEndsIt) {
  Board board;
  board.run(assemble("lui s0, 0x80000\nlui s1, 0x40000\nli t0, 0x80\ncsrw mie, t0\nli t1, 700\n"
                     "sw x0, 12(s1)\nsw t1, 8(s1)\nwfi\ncsrr a0, mcycle\nsw a0, 0(s0)\nebreak\n"),
            kManyCycles);
  EXPECT_THAT(board.stored(), ElementsAre(0, 700, 701));
  EXPECT_LT(board.steps(), 10);
}

TEST(CoreWfi, WithMieSetTheInterruptIsTakenAfterIt) {
  // WFI in cycle 8, at 32. Pending in its own cycle, it is not executed at all.
  struct Case {
    Cycle raised;
    std::uint32_t handler, epc;
  };
  for (const auto& [raised, handler, epc] :
       {Case{7, 8 + 3, 32}, Case{8, 9 + 3, 36}, Case{50, 51 + 3, 36}}) {
    Board board({raised});
    board.run(assemble(kSetUp + enable(kExternal) + "wfi\nnop\n" + kHandler), kManyCycles);
    EXPECT_THAT(board.stored(), ElementsAre(handler, 0x8000000b, epc, 0, kMpp | kMpie)) << raised;
  }
}

TEST(CoreWfi, AnEventThatWasTakenInTheCycleBeforeDoesNotEndIt) {
  // The load in cycle 5 takes the one event, so that mip is clear from 6 on. WFI in cycle 7.
  Board board({0, 300});
  board.run(assemble(kSleep + "lui s1, 0x40000\nlw a1, 0(s1)\nwfi\ncsrr a0, mcycle\n"
                              "sw a0, 0(s0)\nebreak\n"),
            kManyCycles);
  EXPECT_THAT(board.stored(), ElementsAre(301));
}

}  // namespace
}  // namespace annelid::test
