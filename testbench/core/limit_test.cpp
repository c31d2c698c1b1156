// A run may stop at any cycle and go on from there: random code, which jumps about, traps, is
// interrupted and overwrites itself, does the same in runs of one cycle as in runs of any length,
// with and without a tracer.
#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <iterator>
#include <map>
#include <random>

#include "testbench/core/assemble.hpp"
#include "testbench/core/seeds.hpp"

namespace annelid::test {
namespace {

using State = nic::Core::State;
constexpr std::uint32_t kWords = 80, kLookedAt = 0x200;
constexpr Cycle kEnd = 3000;

/// An instruction: the bits in `free` are random. Destinations are x16 to x31, so that
/// the bases of accesses stay.
struct Pattern {
  std::uint32_t match, free;
};
constexpr Pattern kPatterns[] = {
    {0x00000813, 0xffffe780}, {0x00001813, 0x01ffc780},  // ADDI and others, SLLI and SRLI
    {0x00000833, 0x01fff780}, {0x02000833, 0x01fff780},  // OP, multiplications
    {0x40000833, 0x01ff8780}, {0x40005833, 0x01ff8780},  // SUB, SRA
    {0x00000837, 0xfffff780}, {0x00000817, 0xfffff780},  // LUI, AUIPC
    {0x00000063, 0x03ffdf00}, {0xfc0000e3, 0x03ffdf00},  // branches, on and back
    {0x00006063, 0x03ff9f00}, {0xfc0060e3, 0x03ff9f00},  // BLTU, BGEU
    {0x0000086f, 0x03c00780}, {0xfc1ff86f, 0x03c00780},  // JAL, on and back
    {0x00000867, 0x0ff00780},                            // JALR to 0 to 255
    {0x00000803, 0x0ff1d780}, {0x00002803, 0x0ff18780},  // loads by x0 to x3
    {0x00000023, 0x0ff19f80}, {0x00002023, 0x0ff18f80},  // stores by x0 to x3
    {0x00000023, 0x0ff19f80}, {0x00002023, 0x0ff18f80},
};
constexpr std::uint32_t kWfi = 0x10500073;
constexpr std::uint32_t kSystem[] = {
    0xb0002873, 0xb02028f3, 0x34402973,  // mcycle, minstret, mip into x16 to x18
    0x30046073, 0x30047073, 0x30200073,  // MIE set, MIE clear, MRET
    kWfi,       0x00000073, 0x0000100f,  // WFI, ECALL, FENCE.I
};

class Chaos {
 public:
  explicit Chaos(std::uint32_t seed) : random_(seed), interrupted_(seed % 2 == 0) {
    std::string text = "li x1, 0\nli x2, 0x80\nli x3, 0x3fff0\nla x4, handler\ncsrw mtvec, x4\n" +
                       li("x5", interrupted_ ? 0x880 : 0) + "csrw mie, x5\n";
    for (std::uint32_t i = 0; i < kWords; ++i) text += ".word " + std::to_string(word()) + "\n";
    // Whatever came skips an instruction; the timer's interrupt comes once.
    image_ = assemble(text +
                      "ebreak\nhandler: csrr x6, mepc\naddi x6, x6, 4\ncsrw mepc, x6\n"
                      "li x6, 0x80\ncsrc mie, x6\nmret\n");
    if (seed % 4 < 2) image_.shared.reset();  // a core decodes by itself then
    timer_ = random_() % kEnd;
    for (Cycle t = 0; t < 2 * kEnd; ++t) external_.push_back(interrupted_ && random_() % 16 == 0);
  }

  [[nodiscard]] const nic::Image& image() const { return image_; }
  [[nodiscard]] bool interrupted() const { return interrupted_; }

  /// One call of run(), or the end of a wait, which depends on the cycle and the address alone.
  /// False at the end.
  bool step(nic::Core& core, Cycle cycles) const {
    if (core.time() >= kEnd || core.state() == State::kHalted) return false;
    if (core.state() == State::kBus) {
      const std::uint32_t address = core.access().address;
      (address & 64) != 0 ? core.fault() : core.finish(address * 2654435761u);
    } else if (core.state() == State::kWrite) {
      core.finish_write(core.reg(12));
    } else if (core.state() == State::kAsleep) {
      Cycle at = core.time();
      while (at < kEnd && (mip(at) & core.mie()) == 0) ++at;
      core.wake(at);
    } else {
      core.run(core.time() + cycles, {mip(core.time()), interrupted_ ? timer_ : kNever});
    }
    return true;
  }

 private:
  std::uint32_t word() {
    const auto random = static_cast<std::uint32_t>(random_());
    if (random % 8 == 0) {
      const std::uint32_t system = kSystem[random / 8 % std::size(kSystem)];
      if (interrupted_ || system != kWfi) return system;  // one that nothing ends
    }
    const auto [match, free] = kPatterns[random / 8 % std::size(kPatterns)];
    return match | (static_cast<std::uint32_t>(random_()) & free);
  }
  [[nodiscard]] std::uint32_t mip(Cycle t) const {
    return (external_[t] ? 0x800u : 0u) | (interrupted_ && t >= timer_ ? 0x80u : 0u);
  }

  std::mt19937 random_;
  const bool interrupted_;
  nic::Image image_;
  Cycle timer_ = 0;
  std::vector<bool> external_;  // by cycle
};

struct Snapshot {
  std::uint32_t pc;
  std::uint64_t instructions;
  std::array<std::uint32_t, 32> x;
  std::array<std::uint32_t, kLookedAt / 4> code;
  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

Snapshot snapshot(const nic::Core& core) {
  Snapshot s{core.pc(), core.instructions(), {}, {}};
  for (int i = 0; i < 32; ++i) s.x[static_cast<std::size_t>(i)] = core.reg(i);
  for (std::uint32_t i = 0; i < s.code.size(); ++i) s.code[i] = core.load(4 * i, 4);
  return s;
}

/// Whether a run may end before this instruction to learn mip, which it reads.
bool reads_mip(const Snapshot& s) {
  return s.pc < kLookedAt && s.code[s.pc / 4] >> 20 == nic::rv32::kMip;
}

/// What every cycle that begins an instruction finds.
using History = std::map<Cycle, Snapshot>;

/// Holds each traced instruction to the history.
class HistoryTracer : public nic::CoreTracer {
 public:
  explicit HistoryTracer(const History& history) : history_(history) {}
  void retired(const nic::Retired& i) override {
    const auto at = history_.find(i.cycle);
    ASSERT_NE(at, history_.end()) << "no instruction begins in cycle " << i.cycle;
    EXPECT_EQ(i.pc, at->second.pc);
    if (i.pc < kLookedAt) {
      EXPECT_EQ(i.word, at->second.code[i.pc / 4]) << "the word as it was before";
    }
    if (++instructions_; i.rd != 0 && std::next(at) != history_.end()) {
      EXPECT_EQ(i.value, std::next(at)->second.x[static_cast<std::size_t>(i.rd)]);
    }
  }
  void trapped(Cycle, const nic::Trap&) override {}
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }

 private:
  const History& history_;
  std::uint64_t instructions_ = 0;
};

struct Totals {
  std::uint64_t instructions = 0;
  int overwritten = 0, halted = 0;
};

History in_single_cycles(const Chaos& chaos, Totals& totals) {
  nic::Core core(chaos.image(), 0);
  History history{{0, snapshot(core)}};
  const auto code = history.begin()->second.code;
  while (chaos.step(core, 1)) history[core.time()] = snapshot(core);
  totals.instructions += core.instructions();
  totals.overwritten += history.rbegin()->second.code != code ? 1 : 0;
  totals.halted += core.state() == State::kHalted ? 1 : 0;
  return history;
}

/// A run of `longest` cycles at most, in steps of random lengths.
void expect_same(const Chaos& chaos, const History& history, std::uint32_t longest, bool traced) {
  const Cycle last = history.rbegin()->first;
  std::mt19937 random(longest);
  HistoryTracer tracer(history);
  nic::Core core(chaos.image(), 0);
  core.set_tracer(traced ? &tracer : nullptr);
  core.stop_before(last);
  for (;;) {
    const Cycle cycles = 1 + random() % longest, start = core.time();
    const bool runs = core.state() == State::kRunning;
    if (start == last || !chaos.step(core, cycles)) break;
    const auto at = history.find(core.time());
    ASSERT_NE(at, history.end()) << "no instruction begins in cycle " << core.time();
    ASSERT_TRUE(snapshot(core) == at->second)
        << "in cycle " << core.time() << ", after a run from " << start << " of " << cycles;
    if (!chaos.interrupted() && runs && core.state() == State::kRunning && !reads_mip(at->second)) {
      const auto due = history.lower_bound(std::min(start + cycles, last));
      ASSERT_EQ(core.time(), due->first) << "after a run from " << start << " of " << cycles;
    }
  }
  EXPECT_EQ(tracer.instructions(), traced ? core.instructions() : 0);
}

TEST(CoreLimit, RandomCodeRunsTheSameHoweverLongItsRunsAre) {
  Totals totals;
  const auto all = seeds(60);
  for (const std::uint32_t seed : all) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Chaos chaos(seed);
    const History history = in_single_cycles(chaos, totals);
    for (const std::uint32_t longest : {2, 5, 40, 1000}) {
      for (const bool traced : {false, true}) {
        ASSERT_NO_FATAL_FAILURE(expect_same(chaos, history, longest, traced));
        ASSERT_FALSE(HasFailure());
      }
    }
  }
  std::cout << totals.instructions << " instructions, " << totals.overwritten
            << " programs overwritten, " << totals.halted << " halted\n";
  EXPECT_GT(totals.instructions, 200 * all.size());
  EXPECT_GT(totals.overwritten, static_cast<int>(all.size() / 2));
}

}  // namespace
}  // namespace annelid::test
