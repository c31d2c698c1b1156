#include "nic/node_memory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <vector>

#include "base/random.hpp"

namespace annelid::nic {
namespace {

constexpr std::uint64_t kPage = NodeMemory::kPageBytes;

TEST(NodeMemory, IsZeroAndTakesNoPageUntilItIsWritten) {
  NodeMemory memory(std::uint64_t{256} << 20);
  EXPECT_EQ(memory.load(0, 8), 0U);
  EXPECT_EQ(memory.load((std::uint64_t{256} << 20) - 8, 8), 0U);
  EXPECT_EQ(memory.pages(), 0U);
  memory.store(5 * kPage + 3, 0x1122, 2);
  EXPECT_EQ(memory.pages(), 1U);
}

TEST(NodeMemory, StoresLittleEndianNumbersOfEveryLengthAcrossPages) {
  for (std::uint32_t bytes = 0; bytes <= 8; ++bytes) {
    for (std::uint64_t at = kPage - 9; at <= kPage + 1; ++at) {
      NodeMemory memory(4 * kPage);
      memory.store(at, 0x8877665544332211, bytes);
      for (std::uint32_t i = 0; i < 10; ++i) {
        EXPECT_EQ(memory.load(at + i, 1), i < bytes ? 0x11U * (i + 1) : 0U);
      }
      const std::uint64_t mask =
          bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
      EXPECT_EQ(memory.load(at, bytes), 0x8877665544332211 & mask);
    }
  }
}

TEST(NodeMemory, SpansAreWhatAFlatArrayWouldBe) {
  constexpr std::size_t kBytes = 5 * kPage;
  NodeMemory memory(kBytes);
  std::vector<std::byte> flat(kBytes), part;
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t offset = random.below(kBytes);
    part.resize(random.below(static_cast<std::uint32_t>(kBytes - offset)) + 1);
    if (random.below(2) == 0) {
      for (std::byte& b : part) b = static_cast<std::byte>(random());
      memory.write(offset, part);
      std::ranges::copy(part, flat.begin() + static_cast<std::ptrdiff_t>(offset));
    } else {
      memory.read(offset, part);
      ASSERT_TRUE(
          std::equal(part.begin(), part.end(), flat.begin() + static_cast<std::ptrdiff_t>(offset)));
    }
  }
}

TEST(NodeMemory, RefusesWhatLiesOutside) {
  NodeMemory memory(100);
  EXPECT_TRUE(memory.contains(92, 8));
  EXPECT_TRUE(memory.contains(100, 0));
  EXPECT_FALSE(memory.contains(93, 8));
  EXPECT_FALSE(memory.contains(~std::uint64_t{0}, 2));
  EXPECT_NO_THROW(memory.store(92, 1, 8));
  EXPECT_THROW(memory.store(93, 1, 8), std::out_of_range);
  EXPECT_THROW((void)memory.load(97, 4), std::out_of_range);
  std::array<std::byte, 2> two{};
  EXPECT_THROW(memory.read(99, two), std::out_of_range);
}

TEST(NodeMemory, IsZeroAgainWhereOthersHaveWritten) {
  for (std::uint64_t round = 1; round <= 3; ++round) {  // pages are used again
    NodeMemory memory(64 * kPage);
    for (std::uint64_t at = 0; at < memory.size(); at += 8) {
      if (at % kPage == 0) memory.store(at, round, 8);
      ASSERT_EQ(memory.load(at, 8), at % kPage == 0 ? round : 0);
      memory.store(at, ~round, 8);
    }
    memory.clear();
    EXPECT_EQ(memory.load(63 * kPage, 8), 0U);  // the page used last
    EXPECT_EQ(memory.pages(), 0U);
    memory.store(kPage, 1, 1);
    EXPECT_EQ(memory.load(kPage, 8), 1U);
    EXPECT_EQ(memory.load(kPage + 8, 8), 0U);
  }
}

TEST(NodeMemory, SeesThatAPageHasBecomeOneOfOthers) {
  NodeMemory memory(2 * kPage);
  memory.store(kPage, 7, 8);
  EXPECT_EQ(memory.load(kPage, 8), 7U);
  std::vector<std::byte> bytes(kPage, std::byte{9});
  memory.use(kPage, bytes);
  EXPECT_EQ(memory.load(kPage, 1), 9U);
}

TEST(NodeMemory, UsesTheBytesOfOthers) {
  std::vector<std::byte> front(2 * kPage), behind(2 * kPage);
  NodeMemory memory(4 * kPage - 5);
  memory.use(0, front);
  memory.use(2 * kPage, behind);  // the last page reaches behind the end
  memory.store(2 * kPage - 4, 0x1122334455667788, 8);
  EXPECT_EQ(front[2 * kPage - 4], std::byte{0x88});
  EXPECT_EQ(behind[0], std::byte{0x44});
  behind[kPage + 1] = std::byte{9};
  EXPECT_EQ(memory.load(3 * kPage, 8), 0x900U);
  EXPECT_THROW((void)memory.load(4 * kPage - 5, 1), std::out_of_range);
  EXPECT_THROW(memory.use(8, front), std::invalid_argument);
  EXPECT_THROW(memory.use(0, std::span(front).first(kPage - 1)), std::invalid_argument);
  EXPECT_THROW(memory.use(4 * kPage, front), std::out_of_range);
  memory.clear();
  EXPECT_EQ(memory.load(3 * kPage, 8), 0U);
  EXPECT_EQ(memory.pages(), 0U);
}

}  // namespace
}  // namespace annelid::nic
