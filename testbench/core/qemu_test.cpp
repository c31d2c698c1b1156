// The core against QEMU, instruction by instruction: pc, all registers, and the cycles that the
// table of docs/internals/nic/core.md gives for the way the program took.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>

#include "testbench/core/assemble.hpp"
#include "testbench/core/cost_table.hpp"
#include "testbench/core/qemu_trace.hpp"
#include "testbench/core/random_program.hpp"
#include "testbench/core/seeds.hpp"

namespace annelid::test {
namespace {

// User mode cannot map address 0, where the core starts. So the programs stand here, and the core's
// copy has a jump at 0. Code and data are in different pages, or QEMU would retranslate.
constexpr std::uint32_t kProgram = 0x10000;
constexpr std::uint32_t kJumpToProgram = 0x0001006f;  // jal x0, 0x10000
constexpr std::size_t kEntryField = 24;               // of an ELF header

nic::Image for_core(std::vector<std::byte> elf) {
  std::memset(elf.data() + kEntryField, 0, 4);
  nic::Image image = nic::load_elf(elf);
  std::memcpy(image.ram.data(), &kJumpToProgram, 4);
  image.shared.reset();
  return image;
}

/// Executions of each mnemonic; of a branch, " taken" and " not taken" apart.
using Counts = std::map<std::string, int>;

void compare(std::uint32_t seed, Counts& counts) {
  int& crossings = counts["crossing a word"];
  const RandomProgram program(seed);
  const auto elf = assemble_elf(program.text(), "-Ttext=0x10000 -Tdata=0x18000");
  const auto trace = qemu_trace(elf);
  nic::Core core(for_core(elf), 0);
  core.run(1, {});  // the jump
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const QemuStep& step = trace[i];
    ASSERT_EQ(core.pc(), step.pc) << "step " << i;
    const std::string& mnemonic = program.mnemonics().at((step.pc - kProgram) / 4);
    for (int reg = 0; reg < 32; ++reg) {
      if (reg == 2 && i == 0) continue;  // the oracle's process has a stack
      ASSERT_EQ(core.reg(reg), step.x[static_cast<std::size_t>(reg)])
          << "x" << reg << " in step " << i << ", before the " << mnemonic << " at " << std::hex
          << step.pc << "; the step before was at " << (i > 0 ? trace[i - 1].pc : 0);
    }
    const Cycle before = core.time();
    const auto state = core.run(before + 1, {});
    if (i + 1 == trace.size()) {
      ASSERT_EQ(mnemonic, "ecall");
      ASSERT_EQ(state, nic::Core::State::kHalted);
      ASSERT_EQ(core.trap().cause, 11u);
      ASSERT_EQ(core.instructions(), trace.size());  // the jump, and all but the ECALL
      return;
    }
    const bool jumped = trace[i + 1].pc != step.pc + 4;
    ASSERT_EQ(state, nic::Core::State::kRunning);
    const bool crossed = crosses(mnemonic, core.load(step.pc, 4), step.x);
    ASSERT_EQ(core.time() - before, cost(mnemonic, jumped) + (crossed ? 1 : 0))
        << mnemonic << " at " << step.pc;
    crossings += crossed ? 1 : 0;
    ++counts[is_branch(mnemonic) ? mnemonic + (jumped ? " taken" : " not taken") : mnemonic];
  }
}

TEST(CoreQemu, RandomProgramsRunAsInQemu) {
  Counts counts;
  for (const std::uint32_t seed : seeds(20)) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_NO_FATAL_FAILURE(compare(seed, counts));
  }
  // What the programs did not execute was not compared.
  for (const char* name : {"lui",
                           "auipc",
                           "jal",
                           "jalr",
                           "lb",
                           "lh",
                           "lw",
                           "lbu",
                           "lhu",
                           "sb",
                           "sh",
                           "sw",
                           "addi",
                           "slti",
                           "sltiu",
                           "xori",
                           "ori",
                           "andi",
                           "slli",
                           "srli",
                           "srai",
                           "add",
                           "sub",
                           "sll",
                           "slt",
                           "sltu",
                           "xor",
                           "srl",
                           "sra",
                           "or",
                           "and",
                           "mul",
                           "mulh",
                           "mulhsu",
                           "mulhu",
                           "div",
                           "divu",
                           "rem",
                           "remu",
                           "fence",
                           "fence.i",
                           "beq taken",
                           "bne taken",
                           "blt taken",
                           "bge taken",
                           "bltu taken",
                           "bgeu taken",
                           "beq not taken",
                           "bne not taken",
                           "blt not taken",
                           "bge not taken",
                           "bltu not taken",
                           "bgeu not taken",
                           "crossing a word"}) {
    EXPECT_GE(counts[name], 10) << name;
  }
  int total = 0;
  for (const auto& [name, count] : counts) total += count;
  total -= counts["crossing a word"];
  std::cout << total << " instructions compared\n";
}

}  // namespace
}  // namespace annelid::test
