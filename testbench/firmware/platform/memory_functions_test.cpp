// The core's own memcpy and its like, on the core's model: what they do, and what they cost.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include "testbench/firmware/support/firmware_on_core.hpp"

namespace annelid::firmware {
namespace {

TEST(MemoryFunctions, EqualLoopsOverBytesAndCostLittleMoreThanOneCycleAByte) {
  std::ifstream file(MEMORY_FUNCTIONS_ELF, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::byte> bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  const nic::Image program = nic::load_elf(bytes);
  FakeBus bus({}, {1, 1, 1});
  FirmwareOnCore core(program, bus);
  core.run();
  const auto result = [&](std::uint32_t i) { return bus.get<std::uint32_t>(4 * i); };
  EXPECT_GT(result(0), 2500U) << "cases";
  EXPECT_EQ(result(1), 0U) << "failures";
  struct {
    const char* what;
    std::uint32_t most;  // cycles for 1,024 bytes
  } const limits[] = {{"memcpy, aligned", 1024},
                      {"memcpy, equally misaligned", 1100},
                      {"memcpy, otherwise misaligned", 1400},
                      {"memcpy from node memory, misaligned", 1024},
                      {"memmove, overlapping", 1024},
                      {"memset", 512},
                      {"memcmp", 3072}};
  for (std::uint32_t i = 0; i < std::size(limits); ++i) {
    std::printf("%s: %u cycles for 1024 bytes\n", limits[i].what, result(2 + i));
    EXPECT_GT(result(2 + i), 256U) << limits[i].what;
    EXPECT_LT(result(2 + i), limits[i].most) << limits[i].what;
  }
  EXPECT_EQ(result(9), 0U);
}

}  // namespace
}  // namespace annelid::firmware
