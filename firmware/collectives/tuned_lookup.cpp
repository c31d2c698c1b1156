// The lookup in tables of tunings: docs/internals/algorithms/auto.md, "Lookup".
#include "firmware/collectives/tuned.hpp"

namespace annelid::firmware {
namespace {

/// How far a table is from what a call asks for; less is nearer.
struct Distance {
  std::uint32_t mismatch;       ///< bit 1: routers of another kind; bit 0: as to rings
  std::uint32_t higher, lower;  ///< processes, the table's and the call's
};

Distance distance(const TunedTable& table, const TunedKey& key) {
  const bool more = table.processes > key.processes;
  return {(table.one_port != key.one_port ? 2U : 0U) | (table.rings != key.rings ? 1U : 0U),
          more ? table.processes : key.processes, more ? key.processes : table.processes};
}

/// Below 0: a is nearer than b; 0: they are as near.
int compare(const Distance& a, const Distance& b) {
  if (a.mismatch != b.mismatch) return a.mismatch < b.mismatch ? -1 : 1;
  const std::uint64_t left = std::uint64_t{a.higher} * b.lower;
  const std::uint64_t right = std::uint64_t{b.higher} * a.lower;
  return left < right ? -1 : left > right ? 1 : 0;
}

}  // namespace

const TunedRow* find_tuned(const TunedTables& tables, const TunedKey& key, TunedAmong among) {
  const TunedTable* nearest = nullptr;
  Distance least{};
  for (const TunedTable& table : tables.tables) {
    if (table.operation != key.operation || (table.among & among) == 0) continue;
    const Distance here = distance(table, key);
    const int order = nearest == nullptr ? -1 : compare(here, least);
    if (order > 0 || (order == 0 && table.processes >= nearest->processes)) continue;
    nearest = &table;
    least = here;
  }
  if (nearest == nullptr) return nullptr;
  const TunedRow* row = &tables.rows[nearest->first_row];
  const TunedRow* const last = row + nearest->rows - 1;
  while (row != last && row[1].from <= key.bytes) ++row;
  return row;
}

}  // namespace annelid::firmware
