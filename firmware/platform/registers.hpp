// The driver of the NIC's registers (docs/internals/nic/registers.md). The two builds of the
// firmware access the hardware in different ways, and only this file and memory.hpp contain these
// differences.
#pragma once

#include <cstdint>

#include "interface/registers.hpp"
#if !defined(__riscv)
#include "firmware/register_bus.hpp"
#endif

namespace annelid::firmware {

/// 32-bit reads and writes in program order; offsets are those of annelid::reg.
class Registers {
 public:
#if defined(__riscv)
  [[nodiscard]] std::uint32_t read(std::uint32_t offset) const { return *at(offset); }
  void write(std::uint32_t offset, std::uint32_t value) const { *at(offset) = value; }
  /// Engines and core share node memory. The program's earlier stores must be in memory before it
  /// writes a descriptor, and its loads after a completion must not happen before the completion.
  /// The hardware keeps the order; this function keeps it in the compiler.
  static void memory_barrier() { asm volatile("" ::: "memory"); }

 private:
  static volatile std::uint32_t* at(std::uint32_t offset) {
    return reinterpret_cast<volatile std::uint32_t*>(reg::kRegisterBase + offset);
  }
#else
  explicit Registers(RegisterBus& bus) : bus_(&bus) {}
  [[nodiscard]] std::uint32_t read(std::uint32_t offset) const { return bus_->read(offset); }
  void write(std::uint32_t offset, std::uint32_t value) const { bus_->write(offset, value); }
  static void memory_barrier() {}

 private:
  RegisterBus* bus_;
#endif
};

}  // namespace annelid::firmware
