// Where AUTO looks: fabricated tables with known answers. (What it then plays: ranked_test.cpp;
// that it is what the program's own reading of the tables says:
// testbench/end_to_end/auto_test.cpp.) Parameter space: tables near and far, sizes around a row's
// first, operations and kinds of tables.
#include "firmware/collectives/tuned.hpp"

#include <gtest/gtest.h>

#include <map>

namespace annelid::firmware {
namespace {

using reg::Operation;

constexpr std::uint8_t kBoth = kAmongAll | kAmongRanked;
constexpr TunedRow kRows[] = {
    {0, 1, {}}, {100, 2, {}}, {200, 3, {}},  // of the first table, and so on
    {0, 4, {}}, {0, 5, {}},   {0, 6, {}},   {0, 7, {}},
};
constexpr TunedTable kTables[] = {
    {Operation::kBroadcast, false, false, kBoth, 64, 0, 3},
    {Operation::kBroadcast, false, false, kBoth, 16, 3, 1},
    {Operation::kBroadcast, false, true, kAmongRanked, 4, 4, 1},
    {Operation::kReduce, true, false, kAmongAll, 256, 5, 1},
    {Operation::kBroadcast, true, false, kBoth, 65536, 6, 1},
};

std::uint32_t found(const TunedKey& key, TunedAmong among = kAmongAll) {
  const TunedRow* row = find_tuned({kTables, kRows}, key, among);
  return row == nullptr ? 0 : row->algorithm;
}

TEST(Tuned, FindsTheRowOfTheBytes) {
  const auto of = [](std::uint32_t bytes) {
    return found({Operation::kBroadcast, false, false, 64, bytes});
  };
  EXPECT_EQ(of(0), 1U);
  EXPECT_EQ(of(99), 1U);
  EXPECT_EQ(of(100), 2U);
  EXPECT_EQ(of(199), 2U);
  EXPECT_EQ(of(200), 3U);
  EXPECT_EQ(of(1U << 24), 3U);
}

TEST(Tuned, FindsTheNearestTable) {
  const auto of = [](std::uint32_t processes) {
    return found({Operation::kBroadcast, false, false, processes, 0});
  };
  EXPECT_EQ(of(1), 4U);
  EXPECT_EQ(of(32), 4U) << "as far from 16 as from 64: the lower one";
  EXPECT_EQ(of(33), 1U);
  EXPECT_EQ(of(65536), 1U);
  EXPECT_EQ(found({Operation::kBroadcast, true, false, 64, 0}), 7U) << "of rings, however many";
  EXPECT_EQ(found({Operation::kBroadcast, true, true, 64, 0}, kAmongRanked), 5U)
      << "of one port, whatever the rings";
}

TEST(Tuned, KeepsOperationsAndKindsOfTablesApart) {
  EXPECT_EQ(found({Operation::kReduce, false, true, 4, 0}), 6U);
  EXPECT_EQ(found({Operation::kReduce, false, true, 4, 0}, kAmongRanked), 0U);
  EXPECT_EQ(found({Operation::kBroadcast, false, true, 4, 0}), 4U) << "the one-port one is ranked";
  EXPECT_EQ(found({Operation::kScan, false, false, 64, 0}), 0U);
}

// Rows that this program was built with, whichever they are: each table's begin at 0 bytes.
TEST(Tuned, BuiltInTablesHaveTheirRows) {
  std::map<std::size_t, std::size_t> rows;  // how many, by the first
  for (const bool prepared : {false, true}) {
    const TunedTables built_in = built_in_tables(prepared);
    for (const TunedTable& table : built_in.tables) {
      EXPECT_TRUE(table.rows == 0 || rows.emplace(table.first_row, table.rows).second);
      for (std::size_t i = 0; i < table.rows; ++i) {
        const std::size_t row = table.first_row + i;
        EXPECT_EQ(i == 0, built_in.rows[row].from == 0) << "row " << row;
        if (i > 0) {
          EXPECT_GT(built_in.rows[row].from, built_in.rows[row - 1].from);
        }
      }
    }
  }
  std::size_t next = 0;
  for (const auto& [first, count] : rows) {
    EXPECT_EQ(first, next);
    next += count;
  }
  EXPECT_EQ(next + 1, built_in_tables(false).rows.size());
}

}  // namespace
}  // namespace annelid::firmware
