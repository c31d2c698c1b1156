// Writes instructions as text.
#pragma once

#include <cstdint>
#include <string>

namespace annelid::nic::rv32 {

/// "addi a0,a0,-1" or "bne a0,zero,1c": the word at address `pc`, as objdump -M no-aliases prints
/// it. Targets are hexadecimal addresses. A word that is no instruction of the core becomes ".word
/// 0x00000000".
std::string disassemble(std::uint32_t pc, std::uint32_t word);

/// The name of a register in the calling convention, such as "a0".
const char* register_name(int reg);

}  // namespace annelid::nic::rv32
