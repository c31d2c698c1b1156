// The two system calls of a program: docs/internals/nic.md, section 2.
#pragma once

#include <cstdint>

namespace annelid::firmware::kit {

// Linux's numbers.
inline constexpr std::uint32_t kWrite = 64, kExit = 93;

inline std::uint32_t system_call(std::uint32_t number, std::uint32_t first,
                                 std::uint32_t second = 0, std::uint32_t third = 0) {
  register std::uint32_t a0 asm("a0") = first;
  register std::uint32_t a1 asm("a1") = second;
  register std::uint32_t a2 asm("a2") = third;
  register std::uint32_t a7 asm("a7") = number;
  asm volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return a0;
}

/// Writes a text to standard output or standard error.
inline void write_text(int descriptor, const char* text, std::uint32_t bytes) {
  system_call(kWrite, static_cast<std::uint32_t>(descriptor),
              static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(text)), bytes);
}

}  // namespace annelid::firmware::kit
