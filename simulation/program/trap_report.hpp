// The report of a core that halts at a trap: cause, place, registers, callers.
#pragma once

#include <string>

#include "nic/core.hpp"
#include "simulation/program/core_program.hpp"

namespace annelid::simulation {

/// "store access fault (mcause 7, mtval 0x123) at 0x0000012c main+0x1c src/main.c:12"; the
/// text also names a store into the stack's guard, and compressed code.
[[nodiscard]] std::string describe_trap(const CoreProgram& program, const nic::Trap& trap);

/// Returns lines with the registers and the callers. Each line begins with a newline.
[[nodiscard]] std::string describe_core(const CoreProgram& program, const nic::Core& core,
                                        std::uint32_t pc);

}  // namespace annelid::simulation
