// Which algorithm AUTO stands for: docs/internals/algorithms/auto.md.
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

/// The algorithms among which a table has the fastest, as bits: all that run on the network; those
/// by rank, which run on any group; those that keep the order of the operands wherever the root is.
enum TunedAmong : std::uint8_t { kAmongAll = 1, kAmongRanked = 2, kAmongOrdered = 4 };

/// A table: the measurements of an operation with a number of processes on a kind of network.
struct TunedTable {
  reg::Operation operation;
  bool rings, one_port;
  std::uint8_t among;  ///< bits of TunedAmong
  std::uint32_t processes;
  std::uint16_t first_row;  ///< of the row from 0 bytes on
  std::uint16_t rows;
};

struct TunedTables {
  std::span<const TunedTable> tables;
  std::span<const TunedRow> rows;  ///< a table's together, by ascending bytes
};

/// What the lookup knows of a call.
struct TunedKey {
  reg::Operation operation;
  bool rings, one_port;
  std::uint32_t processes, bytes;
};

/// The row for a call, from the nearest table. Tables with the same kind of routers come first,
/// then tables that agree in having rings. Of these, the table whose number of processes differs by
/// the smallest ratio counts; of two, the one with fewer processes; then the first. nullptr if no
/// table has the operation among these algorithms.
const TunedRow* find_tuned(const TunedTables& tables, const TunedKey& key, TunedAmong among);

/// The tables that this program was built with.
TunedTables built_in_tables();

/// As serve(), for a call by AUTO. All processes choose the same algorithm, from values that are
/// the same at all of them.
CallResult serve_tuned(Context& me, std::optional<Task>& task);

}  // namespace annelid::firmware
