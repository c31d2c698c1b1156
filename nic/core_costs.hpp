// The costs of instructions that take more than one cycle, and the bounds of RAM
// (docs/internals/nic/core.md).
#pragma once

#include "nic/core.hpp"

namespace annelid::nic {

namespace cost {
inline constexpr int kLoad = 2, kStore = 1, kCrossing = 1, kMultiply = 2, kDivide = 34,
                     kTaken = 3,  // branches taken, jumps, FENCE.I, MRET
    kTrap = 3,
                     kSystemCall = 6;  // as a trap and the MRET of a handler

/// The least cycles of an instruction: without crossing a word, and not taken. Of one that the
/// inner loop does not execute it is 0.
constexpr std::uint32_t of(rv32::Op op) {
  using rv32::Op;
  if (op < Op::kLui || op > Op::kFenceI) return 0;
  if (op >= Op::kLb && op <= Op::kLhu) return kLoad;
  if (op >= Op::kSb && op <= Op::kSw) return kStore;
  if (op >= Op::kMul && op <= Op::kMulhu) return kMultiply;
  if (op >= Op::kDiv && op <= Op::kRemu) return kDivide;
  return op == Op::kFenceI ? kTaken : 1;
}
}  // namespace cost

constexpr bool in_ram(std::uint32_t address, std::uint32_t bytes) {
  return address <= kRamBytes - bytes;
}

}  // namespace annelid::nic
