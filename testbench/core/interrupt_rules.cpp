#include "testbench/core/interrupt_rules.hpp"

#include <gtest/gtest.h>

#include "testbench/core/cost_table.hpp"

namespace annelid::test {
namespace {

constexpr std::uint32_t kInterrupt = 0x80000000;

}  // namespace

std::uint32_t InterruptRules::pc_of(const std::variant<nic::Retired, Entry>& entry) {
  const auto* trap = std::get_if<Entry>(&entry);
  return trap != nullptr ? trap->trap.pc : std::get<nic::Retired>(entry).pc;
}

void InterruptRules::judge(const Board& board, Counts& counts) {
  for (std::size_t i = 0; i < log_.size(); ++i) {
    if (const auto* entry = std::get_if<Entry>(&log_[i])) {
      judge(*entry, board, counts);
    } else {
      judge(std::get<nic::Retired>(log_[i]), pc_of(log_.at(i + 1)), board, counts);
    }
    ASSERT_FALSE(testing::Test::HasFailure()) << "in entry " << i << " of the core's trace";
  }
}

void InterruptRules::judge(const Entry& entry, const Board& board, Counts& counts) {
  EXPECT_EQ(entry.cycle, start_);
  EXPECT_EQ(entry.trap.pc, pc_);
  const std::uint32_t due = enabled_ ? board.mip(start_) & mie_ : 0;
  const std::uint32_t cause = entry.trap.cause;
  if (due != 0) {
    EXPECT_EQ(cause, kInterrupt | ((due & 0x800) != 0 ? 11u : 7u)) << "in cycle " << start_;
  } else {
    EXPECT_LT(cause, kInterrupt) << "an interrupt that was not due in cycle " << start_;
  }
  ++(cause < kInterrupt ? counts.traps : cause % 16 == 11 ? counts.external : counts.timer);
  mepc_ = pc_;
  pc_ = mtvec_;
  start_ += 3;
  enabled_before_ = enabled_;
  enabled_ = false;
}

void InterruptRules::judge(const nic::Retired& i, std::uint32_t next_pc, const Board& board,
                           Counts& counts) {
  ++counts.instructions;
  EXPECT_EQ(i.cycle, start_);
  EXPECT_EQ(i.pc, pc_);
  EXPECT_EQ(enabled_ ? board.mip(start_) & mie_ : 0, 0u)
      << "an interrupt that was due in cycle " << start_ << " was not taken";
  const std::string& mnemonic = mnemonics_.at(i.pc / 4);
  if (mnemonic.starts_with("csr")) apply_csr(i, board);
  const bool jumps = is_branch(mnemonic) || mnemonic == "jal" || mnemonic == "jalr";
  const bool in_ram = x_[i.word >> 15 & 31] < nic::kRamBytes;
  const bool crossed = in_ram && crosses(mnemonic, i.word, x_);
  if (i.rd != 0) x_[static_cast<std::size_t>(i.rd)] = i.value;
  pc_ = jumps ? next_pc : i.pc + 4;  // where jumps go is for others to test
  start_ += cost(mnemonic, pc_ != i.pc + 4) + (crossed ? 1 : 0);
  if (mnemonic == "mret") {
    pc_ = mepc_;
    enabled_ = enabled_before_;
    enabled_before_ = true;
  } else if (mnemonic == "wfi") {
    for (Cycle t = i.cycle; (board.mip(t) & mie_) == 0; ++t) start_ = t + 1;
    counts.sleeps += start_ > i.cycle + 1 ? 1 : 0;
  }
}

void InterruptRules::apply_csr(const nic::Retired& i, const Board& board) {
  const std::uint32_t number = i.word >> 20, operand = i.word >> 15 & 31;
  switch (number) {
    case 0x300:
      if (i.rd != 0) {
        EXPECT_EQ(i.value, 0x1800u | (enabled_ ? 8u : 0) | (enabled_before_ ? 0x80u : 0));
      }
      if ((i.word >> 12 & 7) == 6) enabled_ = enabled_ || (operand & 8) != 0;
      if ((i.word >> 12 & 7) == 7) enabled_ = enabled_ && (operand & 8) == 0;
      return;
    case 0x304:
      if (i.rd != 0) {
        EXPECT_EQ(i.value, mie_);
      }
      if ((i.word >> 12 & 7) == 1) mie_ = x_[operand];
      return;
    case 0x305:
      mtvec_ = x_[operand];
      return;
    case 0x341:
      if (i.rd != 0) {
        EXPECT_EQ(i.value, mepc_);
      }
      if ((i.word >> 12 & 7) == 1) mepc_ = x_[operand];
      return;
    case 0x344:
      if (i.rd != 0) {
        EXPECT_EQ(i.value, board.mip(i.cycle)) << "mip in cycle " << i.cycle;
      }
      return;
    case 0xb00:
      if (i.rd != 0) {
        EXPECT_EQ(i.value, i.cycle);
      }
      return;
    default:
      return;
  }
}

}  // namespace annelid::test
