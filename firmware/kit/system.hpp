// What the kit's two builds do in different ways: on a core, and in native programs. All other
// sources of the kit are the same for both.
#pragma once

#include <cstddef>
#include <cstdint>

#include "firmware/platform/memory.hpp"
#include "firmware/platform/registers.hpp"
#if !defined(__riscv)
#include "firmware/native_program.hpp"
#endif

extern "C" char node_memory_begin[], node_memory_end[];  // program.ld, native.ld

namespace annelid::firmware::kit {

#if defined(__riscv)

// The two system calls of a program (docs/internals/nic/core.md), with Linux's numbers.
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
[[noreturn]] inline void end_program(int status) {
  system_call(kExit, static_cast<std::uint32_t>(status));
  __builtin_trap();
}

inline Registers registers() { return Registers{}; }
inline Memory memory() { return Memory{}; }
inline unsigned own_node() {
  unsigned hart = 0;
  asm("csrr %0, mhartid" : "=r"(hart));
  return hart;
}

/// Until an event of the NIC, or the timer.
inline void sleep() { asm volatile("wfi" ::: "memory"); }
/// Whatever the program does takes time.
inline void pass_time() {}
inline void let_timer_wake(bool wakes) {
  constexpr std::uint32_t kTimerInterrupt = 1U << 7;
  if (wakes) {
    asm volatile("csrs mie, %0" : : "r"(kTimerInterrupt));
  } else {
    asm volatile("csrc mie, %0" : : "r"(kTimerInterrupt));
  }
}

/// What stands for a function at all nodes.
inline std::uint32_t number_of_code(std::uintptr_t address) {
  return static_cast<std::uint32_t>(address);
}

inline bool in_node_memory(const void* p) {
  return reinterpret_cast<std::uintptr_t>(p) >= reg::kMemoryBase;
}
inline std::uint32_t offset_of(const void* p) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(p)) - reg::kMemoryBase;
}
/// The offset behind the program's variables.
inline std::uint32_t variables_end() { return offset_of(node_memory_end); }
inline void* pointer_to(std::uint32_t offset) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(reg::kMemoryBase) + offset);
}

#else

extern const NativeHost* host;

inline void write_text(int descriptor, const char* text, std::uint32_t bytes) {
  host->write(host->context, descriptor, text, bytes);
}
[[noreturn]] inline void end_program(int status) {
  host->end(host->context, status);
  __builtin_unreachable();
}

inline Registers registers() { return Registers(*host->bus); }
inline Memory memory() { return Memory(*host->bus); }
inline unsigned own_node() {
  const std::uint32_t at = registers().read(reg::kNode), x = at & 0xFF, y = at >> 8 & 0xFF;
  return ((at >> 16 & 0xFF) * registers().read(reg::kSizeY) + y) * registers().read(reg::kSizeX) +
         x;
}

inline void sleep() { host->sleep(host->context); }
/// A native program takes no time. So one that asks again and again lets a cycle pass each time.
inline void pass_time() { host->pause(host->context); }
inline void let_timer_wake(bool) {}  // it does so anyway

// Each node has a copy of the program at another place.
inline std::uint32_t number_of_code(std::uintptr_t address) {
  return static_cast<std::uint32_t>(address - reinterpret_cast<std::uintptr_t>(node_memory_begin)) &
         0x7FFFFFFF;
}

// The variables in node memory are part of the program's file. All other node memory lies
// elsewhere.
inline std::uint32_t variable_bytes() {
  return static_cast<std::uint32_t>(node_memory_end - node_memory_begin);
}
inline std::uint32_t variables_end() { return variable_bytes(); }
inline bool is_variable(const void* p) {
  return reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(node_memory_begin) <
         variable_bytes();
}
inline bool in_node_memory(const void* p) {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  return is_variable(p) ||
         at - reinterpret_cast<std::uintptr_t>(host->memory) <= registers().read(reg::kMemoryBytes);
}
inline std::uint32_t offset_of(const void* p) {
  const auto* const at = static_cast<const char*>(p);
  return static_cast<std::uint32_t>(
      is_variable(p) ? at - node_memory_begin : at - reinterpret_cast<const char*>(host->memory));
}
inline void* pointer_to(std::uint32_t offset) {
  return offset < variable_bytes() ? static_cast<void*>(node_memory_begin + offset)
                                   : static_cast<void*>(host->memory + offset);
}

#endif

}  // namespace annelid::firmware::kit
