// The RAM of cores at their start: each has the program and nothing of another's writes, and they
// take memory only for what they write. State space: empty, odd, full and too long contents; copies
// that share pages and those beyond the number that may; copies that outlive what they were made
// of; used copies, also in a child process.
#include "nic/starting_ram.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbench/core/assemble.hpp"
#include "testbench/sanitized.hpp"

namespace annelid::test {
namespace {

using nic::kRamBytes;
using nic::StartingRam;

std::vector<std::byte> pattern(std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(i * 7 + i / 256 + 1);
  return data;
}

bool holds(const StartingRam::Copy& copy, std::vector<std::byte> bytes) {
  bytes.resize(kRamBytes);
  return std::equal(bytes.begin(), bytes.end(), copy.get());
}

TEST(StartingRam, HoldsTheBytesAndZerosBehindThem) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{4095},
                                  std::size_t{70'001}, std::size_t{kRamBytes}}) {
    EXPECT_TRUE(holds(StartingRam(pattern(bytes)).copy(), pattern(bytes))) << bytes;
  }
  EXPECT_THROW(StartingRam(pattern(kRamBytes + 1)), std::invalid_argument);
}

TEST(StartingRam, OfOneCoreDoesNotSeeWhatAnotherWrites) {
  const std::vector<std::byte> bytes = pattern(70'001);
  std::optional<StartingRam> start(bytes);
  const StartingRam::Copy first = start->copy(), second = start->copy();
  for (const std::size_t at : {std::size_t{5}, std::size_t{69'999}, std::size_t{kRamBytes} - 1})
    first[at] = std::byte{0xee};
  EXPECT_FALSE(holds(first, bytes));
  EXPECT_TRUE(holds(second, bytes));
  const StartingRam::Copy third = start->copy();
  start.reset();
  EXPECT_TRUE(holds(third, bytes));
}

constexpr std::size_t kWritten[] = {0, 4'097, 69'999, 70'001, 131'072, kRamBytes - 1};

TEST(StartingRam, OfOneCoreIsWhatTheNextOneGetsAsItWas) {
  const std::vector<std::byte> bytes = pattern(70'001);
  const StartingRam start(bytes);
  const std::byte* latest = nullptr;
  for (int turn = 0; turn < 3; ++turn) {
    const StartingRam::Copy copy = start.copy();
    if (turn > 0) {
      EXPECT_EQ(copy.get(), latest);
    }
    EXPECT_TRUE(holds(copy, bytes)) << turn;
    latest = copy.get();
    for (const std::size_t at : kWritten) copy[at] ^= std::byte{0xff};
  }
}

// The pages that a core of the parent has written are the child's as well.
TEST(StartingRam, OfACoreOfTheParentProcessIsWhatAChildGetsAsItWas) {
  const std::vector<std::byte> bytes = pattern(70'001);
  const StartingRam start(bytes);
  for (int turn = 0; turn < 2; ++turn) {
    const StartingRam::Copy copy = start.copy();
    for (const std::size_t at : kWritten) copy[at] ^= std::byte{0xff};
  }
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    bool good = true;
    for (int turn = 0; turn < 2; ++turn) {
      const StartingRam::Copy copy = start.copy();
      good &= holds(copy, bytes);
      for (const std::size_t at : kWritten) copy[at + (at == 0 ? 8'192 : 0)] ^= std::byte{0xff};
    }
    _exit(good ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(StartingRam, IsTheSameBeyondTheNumberOfCopiesThatSharePages) {
  const std::vector<std::byte> bytes = pattern(4'097);
  const StartingRam start(bytes);
  {
    std::vector<StartingRam::Copy> copies;
    do {
      copies.push_back(start.copy());
    } while (copies.back().get_deleter().shares() && copies.size() < 65'000);
    EXPECT_GT(copies.size(), 30'000U);
    EXPECT_LT(copies.size(), 33'000U);  // well below the mappings that Linux gives a process
    EXPECT_TRUE(holds(copies.back(), bytes));
    copies.back()[0] = std::byte{0xee};
    EXPECT_TRUE(holds(copies.front(), bytes));
    EXPECT_TRUE(holds(start.copy(), bytes));
  }
  EXPECT_TRUE(start.copy().get_deleter().shares());
}

/// What this process alone holds in memory, in bytes.
std::uint64_t private_memory() {
  std::ifstream file("/proc/self/smaps_rollup");
  std::uint64_t sum = 0, kib = 0;
  for (std::string word; file >> word;) {
    if ((word == "Private_Clean:" || word == "Private_Dirty:") && file >> kib) sum += kib * 1024;
  }
  return sum;
}

TEST(StartingRam, OfCoresWithOneProgramTakesThePagesThatTheyWrite) {
#ifdef ANNELID_SANITIZED
  GTEST_SKIP() << "memory is measured without sanitizers";
#endif
  const nic::Image image = assemble(
      "la a1, data\nli a2, 0x1f000\nadd a1, a1, a2\nlw a0, 0(a1)\nsw a0, 4(a1)\nebreak\n"
      ".data\ndata: .fill 0x8000, 4, 0x12345678\n.text");
  ASSERT_GE(image.ram.size(), 0x20000U);
  constexpr std::size_t kCores = 500;
  std::vector<nic::Core> cores;
  cores.reserve(kCores);
  const std::uint64_t before = private_memory();
  ASSERT_GT(before, 0U);
  for (std::size_t i = 0; i < kCores; ++i) {
    nic::Core& core = cores.emplace_back(image, static_cast<std::uint32_t>(i));
    ASSERT_EQ(core.run(1'000, {}), nic::Core::State::kHalted);
    EXPECT_EQ(core.reg(10), 0x12345678U);
  }
  EXPECT_LT((private_memory() - before) / kCores, 16'384U);
}

}  // namespace
}  // namespace annelid::test
