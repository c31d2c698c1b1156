// The machine-mode CSRs of the core, with traps and interrupts (docs/internals/nic/core.md).
#pragma once

#include <cstdint>

#include "systemc/network/types.hpp"

namespace annelid::nic {

/// A trap or an interrupt. `cause` has the mcause values of the privileged specification.
struct Trap {
  std::uint32_t pc = 0, cause = 0, value = 0;
};

/// "illegal instruction", "external interrupt"; "unknown" for a cause that the core never reports.
[[nodiscard]] const char* cause_name(std::uint32_t cause);

namespace rv32 {

/// Bits of mip and mie.
inline constexpr std::uint32_t kExternalInterrupt = 1u << 11, kTimerInterrupt = 1u << 7;

inline constexpr std::uint32_t kMip = 0x344;  ///< the CSR that the core does not hold itself

/// Whether an instruction that reads this CSR, or also writes it, is legal.
bool legal_csr(std::uint32_t number, bool writes);

class Csrs {
 public:
  explicit Csrs(std::uint32_t hart) : hart_(hart) {}

  /// Values that change without a write: the cycle in which the accessing instruction starts, the
  /// number of instructions retired before it, and mip in that cycle.
  struct Now {
    Cycle cycle = 0;
    std::uint64_t instructions = 0;
    std::uint32_t mip = 0;
  };
  /// Reads or writes a CSR that is legal_csr(). Writes to read-only bits change nothing.
  [[nodiscard]] std::uint32_t read(std::uint32_t number, const Now& now) const;
  void write(std::uint32_t number, std::uint32_t value, const Now& now);

  [[nodiscard]] std::uint32_t mie() const { return mie_; }
  /// The interrupts that are taken if they are pending, as bits of mip; 0 while MIE is clear.
  [[nodiscard]] std::uint32_t taken() const { return enabled_ ? mie_ : 0; }
  /// The address that a trap goes to; 0 means that it halts the core.
  [[nodiscard]] std::uint32_t handler() const { return mtvec_; }

  /// Changes the CSRs as a trap or an interrupt does.
  void enter(const Trap& trap);
  /// Changes the CSRs as MRET does, and returns mepc.
  std::uint32_t leave();

 private:
  std::uint32_t hart_;
  bool enabled_ = false, enabled_before_ = false;  // mstatus.MIE, MPIE
  std::uint32_t mie_ = 0, mtvec_ = 0, mscratch_ = 0, mepc_ = 0, mcause_ = 0, mtval_ = 0;
  std::uint64_t cycle_offset_ = 0, instruction_offset_ = 0;  // added by writes
};

}  // namespace rv32
}  // namespace annelid::nic
