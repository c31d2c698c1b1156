#include "firmware/collectives/tuned.hpp"

#include <array>

namespace annelid::firmware {
namespace {

// ---- The tables, as tuned_tables.inc has them (written by `annelid tune`) -----------------------

constexpr bool kMesh = false, kRings = true, kAllPort = false, kOnePort = true;
using enum Ranks::Embedding;

// The tables of InterCom's hybrids are in the same file: intercom/tuned_hybrids.cpp.
#define TUNED_HYBRIDS(...)
#define TUNED_HYBRID(...)
#define TUNED_RULE(...)

/// A line of the file.
struct TunedLine {
  bool is_table, of_prepared;
};
#define TUNED_TABLE(...) {true, false},
#define TUNED_PREPARED(...) {true, true},
#define TUNED_ROW(...) {false, false},
constexpr TunedLine kLines[] = {
#include "tuned_tables.inc"
    {true, false},  // a table of nothing, so that there is one
};
#undef TUNED_ROW
#undef TUNED_PREPARED
#undef TUNED_TABLE

#define TUNED_TABLE(...)
#define TUNED_PREPARED(...)
#define TUNED_ROW(from, algorithm, embedding) \
  {from, static_cast<std::uint8_t>(reg::Algorithm::algorithm), embedding},
constexpr TunedRow kTunedRows[] = {
#include "tuned_tables.inc"
    {},
};
#undef TUNED_ROW
#undef TUNED_PREPARED
#undef TUNED_TABLE

/// All tables, without where their rows are.
#define TUNED_TABLE(operation, rings, ports, processes, among) \
  {reg::Operation::operation, rings, ports, among, processes, 0, 0},
#define TUNED_PREPARED TUNED_TABLE
#define TUNED_ROW(...)
constexpr TunedTable kNamedTables[] = {
#include "tuned_tables.inc"
    {},
};
#undef TUNED_ROW
#undef TUNED_PREPARED
#undef TUNED_TABLE

template <bool kPrepared>
constexpr std::size_t kTables = [] {
  std::size_t tables = 0;
  for (const TunedLine& line : kLines) {
    tables += line.is_table && line.of_prepared == kPrepared ? 1 : 0;
  }
  return tables;
}();

/// The tables of prepared calls, or those of all others.
template <bool kPrepared>
constexpr std::array<TunedTable, kTables<kPrepared>> kTunedTables = [] {
  std::array<TunedTable, kTables<kPrepared>> tables{};
  std::size_t named = 0, table = 0;
  std::uint16_t row = 0;
  bool counts = false;
  for (const TunedLine& line : kLines) {
    if (!line.is_table) {
      if (counts) ++tables[table - 1].rows;
      ++row;
      continue;
    }
    counts = line.of_prepared == kPrepared;
    if (counts) {
      tables[table] = kNamedTables[named];
      tables[table++].first_row = row;
    }
    ++named;
  }
  return tables;
}();

#undef TUNED_RULE
#undef TUNED_HYBRID
#undef TUNED_HYBRIDS

}  // namespace

TunedTables built_in_tables(bool prepared) {
  if (prepared) return {kTunedTables<true>, kTunedRows};
  return {kTunedTables<false>, kTunedRows};
}

}  // namespace annelid::firmware

#include "firmware/collectives/tuned_lookup.inc"
