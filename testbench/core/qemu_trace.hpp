// What QEMU's user mode did: the registers before each instruction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace annelid::test {

struct QemuStep {
  std::uint32_t pc = 0;
  std::array<std::uint32_t, 32> x{};
};

/// Runs an RV32 Linux executable to its exit(0), or for `most` instructions. Throws
/// std::runtime_error if QEMU is missing, the program fails, or the log is not understood.
std::vector<QemuStep> qemu_trace(const std::vector<std::byte>& elf, std::size_t most = 1'000'000);

}  // namespace annelid::test
