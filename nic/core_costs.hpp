// The costs of instructions that take more than one cycle, and the bounds of RAM
// (docs/internals/nic.md, sections 1 and 2).
#pragma once

#include "nic/core.hpp"

namespace annelid::nic {

namespace cost {
inline constexpr int kLoad = 2, kStore = 1, kCrossing = 1, kMultiply = 2, kDivide = 34,
                     kTaken = 3,  // branches taken, jumps, FENCE.I, MRET
    kTrap = 3,
                     kSystemCall = 6;  // as a trap and the MRET of a handler
}  // namespace cost

constexpr bool in_ram(std::uint32_t address, std::uint32_t bytes) {
  return address <= kRamBytes - bytes;
}

}  // namespace annelid::nic
