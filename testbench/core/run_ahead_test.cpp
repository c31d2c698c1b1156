// The core may run ahead of the network. However far, and in whichever cycles it is stepped, the
// same accesses happen in the same cycles, and interrupts are taken where the rules say.
#include <gmock/gmock.h>

#include <iostream>
#include <random>

#include "testbench/core/assemble.hpp"
#include "testbench/core/board.hpp"
#include "testbench/core/interrupt_rules.hpp"
#include "testbench/core/random_program.hpp"
#include "testbench/core/seeds.hpp"

namespace annelid::test {
namespace {

/// Cycles at random distances; few are so near that the handlers would fill the run.
std::vector<Cycle> random_events(std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::uint32_t longest = 100 + static_cast<std::uint32_t>(random()) % 900;
  std::vector<Cycle> events;
  for (Cycle t = 0; events.size() < 400;) {
    t += random() % 8 == 0 ? 1 : 1 + random() % longest;
    events.push_back(t);
  }
  return events;
}

/// Without those to whole words of memory.
std::vector<Board::Access> shared_accesses(const Board& board) {
  std::vector<Board::Access> accesses = board.accesses();
  std::erase_if(accesses, [](const Board::Access& a) {
    return a.address >= Board::kMemory && a.address % 4 == 0 && a.bytes == 4;
  });
  return accesses;
}

/// `is_private`: the memory of `some` is private.
void expect_same(const Board& some, const Board& plain, bool is_private) {
  ASSERT_TRUE(!is_private || some.accesses() == shared_accesses(some)) << "private accesses";
  const std::vector<Board::Access> accesses = some.accesses();
  const std::vector<Board::Access> expected =
      is_private ? shared_accesses(plain) : plain.accesses();
  ASSERT_EQ(accesses.size(), expected.size());
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    const Board::Access& a = accesses[i];
    const Board::Access& b = expected[i];
    ASSERT_EQ(a, b) << "access " << i << " in cycle " << a.time << " to " << std::hex << a.address
                    << ", expected in " << std::dec << b.time << " to " << std::hex << b.address;
  }
  ASSERT_TRUE(some.trap());
  EXPECT_EQ(some.trap()->cause, plain.trap()->cause);
  EXPECT_EQ(some.trap()->pc, plain.trap()->pc);
  EXPECT_EQ(some.halted_in(), plain.halted_in());
  EXPECT_EQ(some.instructions(), plain.instructions());
  EXPECT_EQ(some.memory(), plain.memory());
}

TEST(CoreRunAhead, RandomProgramsWithRandomInterruptsRunTheSameHoweverFarTheyRunAhead) {
  const auto all = seeds(20);
  InterruptRules::Counts counts;
  int steps = 0, cycle_by_cycle = 0;
  for (const std::uint32_t seed : all) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomProgram program(seed, RandomProgram::Kind::kMachine);
    const nic::Image image =
        nic::load_elf(assemble_elf(program.text(), "--nmagic -Ttext=0 -Tdata=0x8000"));
    InterruptRules rules(program.mnemonics());
    Board plain(random_events(seed));
    plain.run(image, kManyCycles, 1, Board::Steps::kEveryCycle, &rules);
    ASSERT_TRUE(plain.trap()) << "the program does not end";
    ASSERT_EQ(plain.trap()->cause, 3u);
    rules.judge(plain, counts);
    ASSERT_FALSE(HasFailure());
    for (const Cycle run_ahead : {1, 2, 7, 100, 4096}) {
      for (const auto how : {Board::Steps::kAsAsked, Board::Steps::kEveryCycle}) {
        SCOPED_TRACE("run ahead " + std::to_string(run_ahead));
        Board board(random_events(seed)), own(random_events(seed));
        board.run(image, kManyCycles, run_ahead, how);
        ASSERT_NO_FATAL_FAILURE(expect_same(board, plain, false));
        own.make_memory_private();
        own.run(image, kManyCycles, run_ahead, how);
        ASSERT_NO_FATAL_FAILURE(expect_same(own, plain, true));
        if (run_ahead == 4096) {
          (how == Board::Steps::kAsAsked ? steps : cycle_by_cycle) += board.steps();
        }
      }
    }
  }
  std::cout << counts.instructions << " instructions, " << counts.traps << " traps, "
            << counts.external << " external and " << counts.timer << " timer interrupts, "
            << counts.sleeps << " sleeps; " << steps << " steps of " << cycle_by_cycle << "\n";
  const int programs = static_cast<int>(all.size());
  EXPECT_GT(counts.traps, 2 * programs);
  EXPECT_GT(counts.external, 2 * programs);
  EXPECT_GT(counts.timer, 2 * programs);
  EXPECT_GT(counts.sleeps, programs);
  EXPECT_LT(steps, cycle_by_cycle / 2) << "it did not run ahead";
}

TEST(CoreRunAhead, WithInterruptsOffTheCoreIsSteppedForItsAccessesAlone) {
  // 5 cycles, 1000 rounds of 6 (the last of 4), and one store.
  Board board({5, 50, 500, 3000});
  board.run(assemble("lui s0, 0x80000\nli a0, 0x880\ncsrw mie, a0\nli a0, 1000\n"
                     "1: addi a0, a0, -1\nnop\nnop\nbnez a0, 1b\nsw a0, 0(s0)\nebreak\n"),
            kManyCycles);
  EXPECT_EQ(board.halted_in(), 5u + 6000u - 2u + 1u);
  EXPECT_LE(board.steps(), 4 + 4) << "one for each event, the start, the limit, the store, the end";
}

TEST(CoreRunAhead, TheCoreIsNotSteppedForPrivateWords) {
  Board board;
  board.make_memory_private();
  // 2 cycles, and 100 rounds of 7 (the last of 5): a store and a load in each.
  board.run(assemble("lui s0, 0x80000\nli a0, 100\n1: sw a0, 0(s0)\nlw a1, 0(s0)\n"
                     "addi a0, a0, -1\nbnez a0, 1b\nebreak\n"),
            kManyCycles);
  EXPECT_TRUE(board.accesses().empty());
  EXPECT_EQ(board.memory().front(), 1U);
  EXPECT_EQ(board.halted_in(), 2U + 100U * 7U - 2U);
  EXPECT_LE(board.steps(), 3) << "the start, the limit, the end";
}

TEST(CoreRunAhead, APrivateWordKeepsItsBitsAndOneThatMayNotBeLoadedWaits) {
  std::vector<std::uint32_t> values(2);
  const std::vector<nic::PrivateWords::Word> words = {{true, 0xff}, {false, ~0U}};
  const nic::Image image = assemble(
      "lui s0, 0x80000\nli a0, 0x123\nsw a0, 0(s0)\nlw a1, 0(s0)\nsw a0, 4(s0)\n"
      "lw a2, 4(s0)\nebreak\n");
  nic::Core core(image, 0);
  core.set_private_words({0x80000000, values, words});
  core.run(1000, {});
  EXPECT_EQ(values, (std::vector<std::uint32_t>{0x23, 0x123}));
  EXPECT_EQ(core.reg(11), 0x23U);
  ASSERT_EQ(core.state(), nic::Core::State::kBus);
  EXPECT_EQ(core.access().address, 0x80000004U);
}

TEST(CoreRunAhead, TheTimerBoundsItAndNothingElseDoes) {
  // As above, with the timer's interrupt enabled in cycle 3000.
  Board board;
  board.run(assemble("lui s0, 0x80000\nlui s1, 0x40000\nla t0, handler\ncsrw mtvec, t0\n"
                     "li a0, 3000\nsw x0, 12(s1)\nsw a0, 8(s1)\nli a0, 0x80\ncsrw mie, a0\n"
                     "csrsi mstatus, 8\nli a0, 1000\n1: addi a0, a0, -1\nnop\nnop\nbnez a0, 1b\n"
                     "handler: csrr a0, mcycle\nsw a0, 0(s0)\ncsrw mtvec, x0\nebreak\n"),
            kManyCycles);
  ASSERT_EQ(board.stored().size(), 3u);
  EXPECT_GE(board.stored()[2], 3001u + 3u);
  EXPECT_LE(board.stored()[2], 3003u + 3u) << "at the latest after a branch that was under way";
  EXPECT_LE(board.steps(), 10);
}

/// Counts its runs.
class CountingFirmware : public firmware::NativeFirmware {
 public:
  CountingFirmware(std::vector<Cycle>& runs, Board& board) : runs_(runs), board_(board) {}
  void run() override {
    runs_.push_back(board_.now());
    if ((board_.pending() & 0x800) != 0) board_.access({Board::kTake, 4, false, 0});
    if ((board_.pending() & 0x80) != 0) board_.access({Board::kTimerHigh, 4, true, 1});
  }

 private:
  std::vector<Cycle>& runs_;
  Board& board_;
};

TEST(NativeProcessor, RunsInTheFirstCycleAndInEachInWhichAnInterruptIsPending) {
  using testing::ElementsAre;
  for (const auto steps : {Board::Steps::kAsAsked, Board::Steps::kEveryCycle}) {
    Board board({3, 4, 100});
    board.access({Board::kTimerHigh, 4, true, 0});
    board.access({Board::kTimer, 4, true, 50});
    std::vector<Cycle> runs;
    const auto processor =
        make_native_processor(std::make_unique<CountingFirmware>(runs, board), board);
    board.run(*processor, 1000, steps);
    EXPECT_THAT(runs, ElementsAre(0, 4, 5, 51, 101));
    if (steps == Board::Steps::kAsAsked) {
      EXPECT_LT(board.steps(), 10);
    }
  }
}

}  // namespace
}  // namespace annelid::test
