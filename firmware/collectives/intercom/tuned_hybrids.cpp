#include "firmware/collectives/intercom/tuned_hybrids.hpp"

#include <array>
#include <initializer_list>

namespace annelid::firmware::intercom {
namespace {

// ---- The tables, as tuned_tables.inc has them (written by `annelid tune`) -----------------------

constexpr bool kMesh = false, kRings = true;
constexpr std::uint32_t kShort = 0, kNearFirst = 0;
constexpr bool kRv32 = false, kNative = true;

/// The words of a hybrid with these sizes.
constexpr HybridWords words_of(std::uint32_t flags, std::initializer_list<std::uint32_t> sizes) {
  HybridBuilder builder;
  for (const std::uint32_t* size = sizes.begin(); size + 1 != sizes.end(); ++size)
    builder.add(*size);
  return builder.words(kNamed | flags);
}

/// A line of the file: a table, or a row of the last table.
struct HybridLine {
  bool is_table;
  HybridKey key;
  HybridRow row;
};
#define TUNED_TABLE(...)
#define TUNED_PREPARED(...)
#define TUNED_ROW(...)
#define TUNED_HYBRIDS(firmware, operation, rings, x, y, z) \
  HybridLine{true, hybrid_key(firmware, reg::Operation::operation, rings, x, y, z), {}},
#define TUNED_HYBRID(from, form, order, ...) \
  HybridLine{false, kNoTable, {from, words_of((form) | (order), {__VA_ARGS__})}},
#define TUNED_RULE(from) HybridLine{false, kNoTable, {from, {}}},
constexpr HybridLine kLines[] = {
#include "tuned_tables.inc"
    {true, kNoTable, {}},  // a table of nothing, so that there is one
};
#undef TUNED_RULE
#undef TUNED_HYBRID
#undef TUNED_HYBRIDS
#undef TUNED_ROW
#undef TUNED_PREPARED
#undef TUNED_TABLE

struct Count {
  std::size_t tables = 0, rows = 0;
};
constexpr Count kCount = [] {
  Count count;
  for (const HybridLine& line : kLines) ++(line.is_table ? count.tables : count.rows);
  return count;
}();

struct BuiltIn {
  std::array<HybridTable, kCount.tables> tables;
  std::array<HybridRow, kCount.rows + 1> rows;  // one more, so that there is one
};
constexpr BuiltIn kBuiltIn = [] {
  BuiltIn all{};
  std::size_t tables = 0;
  std::uint32_t rows = 0;
  for (const HybridLine& line : kLines) {
    if (line.is_table) {
      all.tables[tables++] = {line.key, rows, 0};
    } else {
      ++all.tables[tables - 1].rows;
      all.rows[rows++] = line.row;
    }
  }
  // By keys; tables with the same key stay in their order.
  for (std::size_t end = 1; end < tables; ++end) {
    for (std::size_t i = end; i > 0 && all.tables[i].key < all.tables[i - 1].key; --i) {
      const HybridTable later = all.tables[i];
      all.tables[i] = all.tables[i - 1];
      all.tables[i - 1] = later;
    }
  }
  return all;
}();

}  // namespace

constinit const HybridTables kBuiltInHybrids{kBuiltIn.tables, kBuiltIn.rows};

}  // namespace annelid::firmware::intercom
