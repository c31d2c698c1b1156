// Layouts and contents of node memory.
// State space: every operation on a mesh of 3 x 2, blocks of 0, 5 and 64 bytes.
#include "simulation/scenario/collective.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "simulation/machine/contents.hpp"
#include "simulation/scenario/memory_layout.hpp"

namespace annelid::simulation {
namespace {

using reference::Operation;

constexpr std::array kOperations = {
    Operation::kBroadcast, Operation::kReduce,    Operation::kGather,
    Operation::kScatter,   Operation::kAllGather, Operation::kAllReduce,
    Operation::kBarrier,   Operation::kAllToAll,  Operation::kReduceScatter};

Collective collective(Operation operation, std::uint64_t bytes) {
  Collective c;
  for (const reference::Algorithm& a : reference::algorithms()) {
    if (a.operation == operation && c.algorithm == nullptr) c.algorithm = &a;
  }
  c.network = {3, 2};
  c.bytes = bytes;
  return c;
}

TEST(Layout, KeepsBuffersApartAlignedAndGuarded) {
  for (const Operation operation : kOperations) {
    for (const std::uint64_t bytes : {0U, 5U, 64U}) {
      const MemoryLayout layout = layout_of(collective(operation, bytes));
      std::uint64_t at = 0;
      const std::array buffers = {layout.source, layout.target, layout.scratch};
      for (std::size_t i = 0; i < 3; ++i) {
        const Buffer guard = layout.guards()[i];
        EXPECT_EQ(guard.offset, at);
        EXPECT_GE(guard.bytes, MemoryLayout::kLeastGuard);
        EXPECT_EQ(buffers[i].offset, guard.end());
        EXPECT_EQ(buffers[i].offset % MemoryLayout::kAlignment, 0u);
        at = buffers[i].end();
      }
      EXPECT_GE(layout.guards()[3].bytes, MemoryLayout::kLeastGuard);
      EXPECT_EQ(layout.guards()[3].end(), layout.end);
    }
  }
}

TEST(Layout, HasRoomForAllBlocksWhereAnOperationHasThem) {
  const auto sizes = [](Operation operation) {
    const MemoryLayout layout = layout_of(collective(operation, 5));
    return std::pair(layout.source.bytes, layout.target.bytes);
  };
  EXPECT_EQ(sizes(Operation::kBroadcast), std::pair(5UL, 0UL));
  EXPECT_EQ(sizes(Operation::kGather), std::pair(5UL, 30UL));
  EXPECT_EQ(sizes(Operation::kScatter), std::pair(30UL, 5UL));
  EXPECT_EQ(sizes(Operation::kAllToAll), std::pair(30UL, 30UL));
  EXPECT_EQ(sizes(Operation::kReduceScatter), std::pair(30UL, 5UL));
}

TEST(Layout, ReservesWhatTheAlgorithmUsesOfScratch) {
  const auto scratch = [](Operation operation, std::string_view name, reference::Network network) {
    Collective c;
    c.algorithm = reference::find_algorithm(operation, name);
    c.network = network;
    c.bytes = 5;  // a block of 8
    return layout_of(c).scratch.bytes;
  };
  EXPECT_EQ(scratch(Operation::kBroadcast, "recursive-doubling", {64, 64}), 0u);
  EXPECT_EQ(scratch(Operation::kBroadcast, "two-tree", {64, 64}), 0u);
  EXPECT_EQ(scratch(Operation::kReduce, "circulant", {64, 64}), 64u);
  EXPECT_EQ(scratch(Operation::kReduce, "edn", {4, 4}), 72u);
  EXPECT_EQ(scratch(Operation::kReduce, "recursive-doubling", {3, 2}), 48u);
  EXPECT_EQ(scratch(Operation::kReduce, "binomial", {3, 2}), 64u);
  EXPECT_EQ(scratch(Operation::kAllReduce, "ring", {3, 2}), 8u);
  EXPECT_EQ(scratch(Operation::kGather, "dimensional", {3, 2}), 6 * 5 + 4 * 6 + 3u);
  EXPECT_EQ(scratch(Operation::kAllGather, "dissemination", {3, 2}), 30u);
  EXPECT_EQ(scratch(Operation::kAllGather, "ring", {3, 2}), 0u);
  EXPECT_EQ(scratch(Operation::kAllGather, "intercom", {3, 2}), 30u);
  EXPECT_EQ(scratch(Operation::kAllReduce, "intercom", {3, 2}), 64u);
  EXPECT_EQ(scratch(Operation::kReduceScatter, "intercom", {3, 2}), 3 * 32u);
  EXPECT_EQ(scratch(Operation::kTranspose, "edn", {8, 8}), 2 * 32u);
  EXPECT_EQ(scratch(Operation::kBarrier, "dissemination", {3, 2}), 0u);
  Collective any = collective(Operation::kReduce, 5);
  any.by_auto = true;
  EXPECT_GE(layout_of(any).scratch.bytes, 64u);
}

TEST(LongestBuffer, HasAllBlocksWhereTheFirmwareMovesThemAsOne) {
  const auto longest = [](Operation operation, const char* name, std::uint32_t parameter = 0) {
    Collective c = collective(operation, 5);
    c.algorithm = reference::find_algorithm(operation, name);
    c.network = {3, 2};
    c.parameter = parameter;
    return longest_buffer(c);
  };
  EXPECT_EQ(longest(Operation::kScatter, "dimensional"), 30u);
  EXPECT_EQ(longest(Operation::kBroadcast, "binomial"), 5u);
  EXPECT_EQ(longest(Operation::kAllGather, "ring"), 5u);
  EXPECT_EQ(longest(Operation::kAllGather, "port-rings"), 5u);
  for (const char* name : {"dissemination", "exchange", "intercom"}) {
    EXPECT_EQ(longest(Operation::kAllGather, name), 30u) << name;
  }
  EXPECT_EQ(longest(Operation::kAllToAll, "direct"), 5u);
  EXPECT_EQ(longest(Operation::kAllToAll, "radix", 5), 30u);
  EXPECT_EQ(longest(Operation::kAllToAll, "radix", 6), 5u) << "every block goes straight";
}

TEST(Contents, AreReproducibleAndDifferByRankAndSeed) {
  Collective c = collective(Operation::kGather, 64);
  const auto first = random_inputs(c).source;
  EXPECT_EQ(random_inputs(c).source, first);
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 6u);
  c.seed = 2;
  EXPECT_NE(random_inputs(c).source, first);
}

TEST(Contents, OfFloatsAreNumbersOfEverySizeAndSomeSpecialOnes) {
  Collective c = collective(Operation::kReduce, 40'000);
  c.type = reference::ElementType::kFloat32;
  int nans = 0, infinite = 0, subnormal = 0, small = 0, large = 0;
  for (const reference::Bytes& source : random_inputs(c).source) {
    for (std::size_t i = 0; i < source.size(); i += 4) {
      float f = 0;
      std::memcpy(&f, &source[i], 4);
      nans += std::isnan(f) ? 1 : 0;
      infinite += std::isinf(f) ? 1 : 0;
      subnormal += std::fpclassify(f) == FP_SUBNORMAL ? 1 : 0;
      small += std::isnormal(f) && std::abs(f) < 0.001 ? 1 : 0;
      large += std::isfinite(f) && std::abs(f) > 1000 ? 1 : 0;
    }
  }
  EXPECT_GT(std::min({nans, infinite, subnormal, small, large}), 50);
}

// The numbers come from a program that GCC built. CI runs this test with Clang.
TEST(Contents, OfASeedAreTheSameBytesWithEveryCompiler) {
  Collective c = collective(Operation::kReduce, 4000);
  EXPECT_EQ(crc32_of(random_inputs(c)), 0xc9a07389u);
  c.type = reference::ElementType::kFloat32;
  EXPECT_EQ(crc32_of(random_inputs(c)), 0x02bb7e0fu);
  c.seed = 7;
  EXPECT_EQ(crc32_of(random_inputs(c)), 0xdd7ea9e0u);
}

}  // namespace
}  // namespace annelid::simulation
