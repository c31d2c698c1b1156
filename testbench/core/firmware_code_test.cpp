// The firmware's planning code as the compiler made it, on the core and under QEMU, instruction by
// instruction: what a random program has not, calls, stacks, tables and the compiler's idioms.
#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <iostream>
#include <map>

#include "testbench/core/assemble.hpp"
#include "testbench/core/qemu_trace.hpp"

namespace annelid::test {
namespace {

constexpr std::size_t kInstructions = 200'000;

/// The program behind a first part, at address 0, that gives the stack pointer its value in QEMU.
nic::Image with_stack(std::vector<std::byte> elf, std::uint32_t stack) {
  Elf32_Ehdr header;
  std::memcpy(&header, elf.data(), sizeof header);
  const std::uint32_t upper = (stack + 0x800) >> 12;  // ADDI subtracts what is above
  const auto lower = static_cast<std::int32_t>(stack - (upper << 12));
  const nic::Image start =
      assemble("lui sp, " + std::to_string(upper) + "\naddi sp, sp, " + std::to_string(lower) +
               "\njal x0, .+" + std::to_string(header.e_entry - 8) + "\n");
  header.e_entry = 0;
  std::memcpy(elf.data(), &header, sizeof header);
  nic::Image image = nic::load_elf(elf);
  std::copy(start.ram.begin(), start.ram.end(), image.ram.begin());
  image.shared.reset();
  return image;
}

/// QEMU's stack is outside RAM.
void serve(nic::Core& core, std::map<std::uint32_t, std::uint8_t>& stack) {
  const nic::BusAccess a = core.access();
  std::uint32_t value = 0;
  for (std::uint32_t i = 0; i < a.bytes; ++i) {
    std::uint8_t& byte = stack[a.address + i];
    if (a.store) byte = static_cast<std::uint8_t>(a.value >> 8 * i);
    value |= std::uint32_t{byte} << 8 * i;
  }
  core.finish(value);
}

TEST(CoreQemu, TheFirmwaresCodeRunsAsInQemu) {
  const auto elf = read_file(PLAN_DIGEST_ELF);
  const auto trace = qemu_trace(elf, kInstructions);
  nic::Core core(with_stack(elf, trace[0].x[2]), 0);
  core.run(3, {});
  ASSERT_EQ(core.instructions(), 3u);
  std::map<std::uint32_t, std::uint8_t> stack;
  std::size_t compared = 0;
  for (const QemuStep& step : trace) {
    ASSERT_EQ(core.pc(), step.pc) << "step " << compared;
    for (int reg = 0; reg < 32; ++reg) {
      ASSERT_EQ(core.reg(reg), step.x[static_cast<std::size_t>(reg)])
          << "x" << reg << " in step " << compared << ", pc " << std::hex << step.pc;
    }
    const nic::Core::State state = core.run(core.time() + 1, {});
    if (state == nic::Core::State::kBus) serve(core, stack);
    if (state == nic::Core::State::kHalted) break;
    ++compared;
  }
  if (core.state() == nic::Core::State::kHalted) {
    EXPECT_EQ(core.trap().cause, 11u) << "the core ends at the program's first system call";
  }
  EXPECT_GT(compared, kInstructions / 2);
  EXPECT_GT(stack.size(), 100u);
  std::cout << compared << " instructions compared\n";
}

}  // namespace
}  // namespace annelid::test
