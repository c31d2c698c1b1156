// Instructions as text.
#pragma once

#include <cstdint>
#include <string>

namespace annelid::nic::rv32 {

/// "addi a0,a0,-1", "bne a0,zero,1c": as objdump -M no-aliases prints the word at `pc`; targets are
/// hexadecimal addresses. What is no instruction of the core is ".word 0x00000000".
std::string disassemble(std::uint32_t pc, std::uint32_t word);

/// "a0"
const char* register_name(int reg);

}  // namespace annelid::nic::rv32
