// The hybrids that a tuning measured as the fastest: docs/internals/algorithms/intercom.md,
// "Choosing".
#pragma once

#include <cstdint>
#include <span>

#include "firmware/collectives/intercom/choice.hpp"
#include "firmware/platform/topology.hpp"

namespace annelid::firmware::intercom {

/// What a table is for, as one word: whose time a call takes, an operation, a kind of network, and
/// the extents of a group. kNoTable: extents too large for a table, or none.
using HybridKey = std::uint32_t;
inline constexpr HybridKey kNoTable = 0xFFFFFFFF;

/// `native`: the call takes the time of the NICs and routers alone, as native firmware and prepared
/// calls do. 0 stands for an extent that there is not.
constexpr HybridKey hybrid_key(bool native, reg::Operation operation, bool rings, std::uint32_t x,
                               std::uint32_t y, std::uint32_t z) {
  constexpr std::uint32_t kX = 10, kY = 9, kZ = 6, kOperation = 5;  // bits
  if (x == 0 || (x >> kX | y >> kY | z >> kZ) != 0) return kNoTable;
  const std::uint32_t kind = (native ? 1U : 0U) << (kOperation + 1) |
                             static_cast<std::uint32_t>(operation) << 1 | (rings ? 1 : 0);
  return kind << (kX + kY + kZ) | x << (kY + kZ) | y << kZ | z;
}

/// A row: from this number of bytes, up to that of the next row, this hybrid is the fastest.
struct HybridRow {
  std::uint32_t from = 0;
  HybridWords words;  ///< those of a call that names none: the rule chooses
};

struct HybridTable {
  HybridKey key = kNoTable;
  std::uint32_t first_row = 0, rows = 0;
};

struct HybridTables {
  std::span<const HybridTable> tables;  ///< by ascending keys
  std::span<const HybridRow> rows;      ///< those of a table are adjacent, by ascending bytes
};

/// Returns what the first table with this key says; the words of a call that names no hybrid if the
/// rule chooses.
inline HybridWords find_hybrid(const HybridTables& tables, HybridKey key, std::uint32_t bytes) {
  const HybridTable* table = tables.tables.data();
  const HybridTable* const end = table + tables.tables.size();
  for (std::size_t left = tables.tables.size(); left > 0;) {  // the first one that is not below
    const std::size_t half = left / 2;
    if (table[half].key < key) {
      table += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  if (table == end || table->key != key || key == kNoTable) return {};
  const HybridRow* const first = &tables.rows[table->first_row];
  const HybridRow* row = first + table->rows;
  while (row != first && bytes < row[-1].from) --row;
  return row == first ? HybridWords{} : row[-1].words;
}

/// The tables that this program was built with.
extern const HybridTables kBuiltInHybrids;

}  // namespace annelid::firmware::intercom
