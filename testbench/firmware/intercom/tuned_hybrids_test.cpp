// Where a call that names no hybrid looks first: fabricated tables with known answers. (That it is
// what the program's own reading of the tables says: testbench/end_to_end/intercom_test.cpp.)
// Parameter space: tables before, between and behind others, bytes around a row's first, extents
// that no table can have.
#include "firmware/collectives/intercom/tuned_hybrids.hpp"

#include <gtest/gtest.h>

#include <set>

namespace annelid::firmware::intercom {
namespace {

using enum reg::Operation;

constexpr HybridKey kLine = hybrid_key(false, kBroadcast, false, 30, 0, 0);
constexpr HybridKey kSquare = hybrid_key(false, kReduce, false, 8, 8, 0);
constexpr HybridKey kRing = hybrid_key(false, kReduce, true, 8, 8, 0);
constexpr HybridKey kNative = hybrid_key(true, kBroadcast, false, 30, 0, 0);
constexpr HybridTable kTables[] = {
    {kLine, 0, 3}, {kSquare, 3, 1}, {kSquare, 4, 1}, {kRing, 5, 2}, {kNative, 7, 1}};
constexpr HybridRow kRows[] = {{8, {1, 1}}, {96, {2, 2}}, {200, {}},   {0, {4, 4}},
                               {0, {5, 5}}, {0, {6, 6}},  {8, {7, 7}}, {0, {8, 8}}};

/// The sizes of the row for a call; 0 if the rule chooses.
std::uint32_t found(HybridKey key, std::uint32_t bytes) {
  return find_hybrid({kTables, kRows}, key, bytes).sizes;
}

TEST(HybridTables, HaveARowForEveryLengthThatWasMeasured) {
  EXPECT_EQ(found(kLine, 7), 0U) << "before the first";
  EXPECT_EQ(found(kLine, 8), 1U);
  EXPECT_EQ(found(kLine, 95), 1U);
  EXPECT_EQ(found(kLine, 96), 2U);
  EXPECT_EQ(found(kLine, 199), 2U);
  EXPECT_EQ(found(kLine, 200), 0U) << "behind the last";
  EXPECT_EQ(found(kLine, 1U << 24), 0U);
  EXPECT_EQ(found(kRing, 7), 6U);
  EXPECT_EQ(found(kRing, 8), 7U);
}

TEST(HybridTables, AreForOneOperationKindOfNetworkAndGroup) {
  EXPECT_EQ(found(kSquare, 1000), 4U) << "the first of two";
  EXPECT_EQ(found(hybrid_key(false, kBroadcast, false, 8, 8, 0), 0), 0U);
  EXPECT_EQ(found(hybrid_key(false, kBroadcast, true, 30, 0, 0), 0), 0U);
  EXPECT_EQ(found(hybrid_key(false, kReduce, false, 16, 4, 0), 0), 0U);
  EXPECT_EQ(found(kNative, 1000), 8U);
  EXPECT_EQ(found(hybrid_key(true, kReduce, false, 8, 8, 0), 0), 0U);
  EXPECT_EQ(found(hybrid_key(true, kReduceScatter, true, 8, 8, 8), 0), 0U) << "behind all keys";
  EXPECT_EQ(find_hybrid({}, kLine, 0).flags, 0U);
}

TEST(HybridTables, HaveKeysThatDiffer) {
  std::set<HybridKey> keys;
  std::size_t all = 0;
  for (const reg::Operation operation : {kBroadcast, kAllReduce, kReduceScatter}) {
    for (const bool rings : {false, true}) {
      for (const std::uint32_t x : {2U, 3U, 512U, 1023U}) {
        for (const std::uint32_t y : {0U, 2U, 256U, 511U}) {
          for (const std::uint32_t z : {0U, 2U, 32U, 63U}) {
            for (const bool native : {false, true}) {
              keys.insert(hybrid_key(native, operation, rings, x, y, z));
              ++all;
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(keys.size(), all);
  EXPECT_FALSE(keys.contains(kNoTable));
}

TEST(HybridTables, AreForNoExtentsThatDoNotFitAKey) {
  EXPECT_EQ(hybrid_key(false, kReduce, false, 0, 0, 0), kNoTable) << "one rank";
  EXPECT_EQ(hybrid_key(false, kReduce, false, 1024, 0, 0), kNoTable);
  EXPECT_EQ(hybrid_key(false, kReduce, false, 2, 512, 0), kNoTable);
  EXPECT_EQ(hybrid_key(false, kReduce, false, 2, 2, 64), kNoTable);
  EXPECT_EQ(found(kNoTable, 0), 0U);
}

}  // namespace
}  // namespace annelid::firmware::intercom
