// Judges a core's run after the fact: every instruction, trap and interrupt in the cycle in which
// it must come, and no other, given the values that mip had. It keeps the few CSRs that matter by
// itself, from the instruction words and the values that were written to registers.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "testbench/core/board.hpp"

namespace annelid::test {

class InterruptRules : public nic::CoreTracer {
 public:
  /// `mnemonics`: of the instruction at address 4 i.
  explicit InterruptRules(const std::vector<std::string>& mnemonics) : mnemonics_(mnemonics) {}

  void retired(const nic::Retired& instruction) override { log_.emplace_back(instruction); }
  void trapped(Cycle cycle, const nic::Trap& trap) override {
    log_.emplace_back(Entry{cycle, trap});
  }

  struct Counts {
    int instructions = 0, traps = 0, external = 0, timer = 0, sleeps = 0;
  };
  /// Judges a run that ended with a trap. Fails the test at the first thing that breaks a rule.
  void judge(const Board& board, Counts& counts);

 private:
  struct Entry {
    Cycle cycle;
    nic::Trap trap;
  };
  static std::uint32_t pc_of(const std::variant<nic::Retired, Entry>& entry);
  void judge(const nic::Retired& instruction, std::uint32_t next_pc, const Board& board,
             Counts& counts);
  void judge(const Entry& entry, const Board& board, Counts& counts);
  void apply_csr(const nic::Retired& instruction, const Board& board);

  const std::vector<std::string>& mnemonics_;
  std::vector<std::variant<nic::Retired, Entry>> log_;
  // What the rules say of the machine before the next entry.
  Cycle start_ = 0;
  std::uint32_t pc_ = 0, mie_ = 0, mtvec_ = 0, mepc_ = 0;
  bool enabled_ = false, enabled_before_ = false;
  std::array<std::uint32_t, 32> x_{};
};

}  // namespace annelid::test
