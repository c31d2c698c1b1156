// Chooses the algorithm for AUTO: docs/internals/algorithms/auto.md.
#pragma once

#include <span>

#include "firmware/collectives/collective.hpp"
#include "firmware/communication/ranks.hpp"

namespace annelid::firmware {

/// A row: from this number of bytes of a block, up to that of the next row, this algorithm is the
/// fastest. If it is an algorithm by rank, it uses this embedding.
struct TunedRow {
  std::uint32_t from;
  std::uint8_t algorithm;  ///< reg::Algorithm
  Ranks::Embedding embedding;
};

/// The sets of algorithms from which a table takes the fastest, as bits: all that run on the
/// network; those by rank, which run on any group; those that keep the order of the operands for
/// any root.
enum TunedAmong : std::uint8_t { kAmongAll = 1, kAmongRanked = 2, kAmongOrdered = 4 };

/// A table: the measurements of an operation with a number of processes on a kind of network.
struct TunedTable {
  reg::Operation operation;
  bool rings, one_port;
  std::uint8_t among;  ///< bits of TunedAmong
  std::uint32_t processes;
  std::uint16_t first_row;  ///< the index of its row from 0 bytes on
  std::uint16_t rows;
};

struct TunedTables {
  std::span<const TunedTable> tables;
  std::span<const TunedRow> rows;  ///< the rows of a table are adjacent, by ascending bytes
};

/// The properties of a call that the lookup uses.
struct TunedKey {
  reg::Operation operation;
  bool rings, one_port;
  std::uint32_t processes, bytes;
};

/// Returns the row for a call, from the nearest table, or nullptr if no table has the operation
/// among these algorithms. Tables with the same kind of routers are preferred, then tables that
/// agree in having rings. Of these, the table with the smallest ratio between its number of
/// processes and the call's is used. Ties go to the table with fewer processes, then to the first.
const TunedRow* find_tuned(const TunedTables& tables, const TunedKey& key, TunedAmong among);

/// The tables of prepared calls, or those of all others, that this program was built with.
TunedTables built_in_tables(bool prepared);

/// Serves a call by AUTO, as serve() does. All processes choose the same algorithm, because they
/// decide from values that are the same at all of them.
CallResult serve_tuned(Context& me, std::optional<Task>& task);

}  // namespace annelid::firmware
