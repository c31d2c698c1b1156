#include "nic/node_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
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

TEST(NodeMemory, NotesTheFirstWriteToEachRangeThatIsWatched) {
  constexpr std::size_t kBytes = 3 * kPage - 20;
  Random random(1);
  std::size_t fast = 0, noted = 0;  // stores beside the ranges, and ranges that were written
  for (int round = 0; round < 200; ++round) {
    NodeMemory memory(kBytes);
    if (round % 2 == 0) memory.store(kPage + 8, 1, 8);  // a page before, the others later
    NodeMemory::Ranges ranges;
    for (std::uint64_t at = random.below(200); at + 300 < kBytes; at += random.below(3000)) {
      ranges.push_back({at, 1 + random.below(150)});
      at += ranges.back().bytes;
    }
    memory.watch(std::make_shared<const NodeMemory::Ranges>(ranges));
    std::vector<std::optional<std::uint64_t>> expected(ranges.size());
    for (int i = 0; i < 400; ++i) {
      std::uint32_t bytes = random.below(3) == 0 ? random.below(9) : 8;
      // Around the ranges, or anywhere.
      const NodeMemory::Range& near =
          ranges[random.below(static_cast<std::uint32_t>(ranges.size()))];
      std::uint64_t at = near.offset + random.below(static_cast<std::uint32_t>(near.bytes + 40));
      at = random.below(4) == 0 ? random.below(kBytes - 8) : at - std::min<std::uint64_t>(at, 20);
      if (random.below(8) == 0) {
        const std::vector<std::uint64_t> words(1 + random.below(4), 5);
        bytes = static_cast<std::uint32_t>(8 * words.size());
        if (!memory.contains(at, bytes)) continue;
        memory.store(at, words);
      } else {
        memory.store(at, random(), bytes);
      }
      bool any = false;
      for (std::size_t r = 0; r < ranges.size(); ++r) {
        const std::uint64_t from = std::max(at, ranges[r].offset);
        if (from >= std::min(at + bytes, ranges[r].offset + ranges[r].bytes)) continue;
        any = true;
        if (!expected[r]) expected[r] = from;
      }
      if (!any && bytes == 8) ++fast;
    }
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      ASSERT_EQ(memory.watched_write(ranges[r]), expected[r]) << round << " range " << r;
      if (expected[r]) ++noted;
    }
    memory.clear();
    memory.store(ranges[0].offset, 1, 1);
    EXPECT_FALSE(memory.watched_write(ranges[0]));
  }
  EXPECT_GT(fast, 1000U);
  EXPECT_GT(noted, 200U);
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
