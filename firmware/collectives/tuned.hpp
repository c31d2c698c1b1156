// Which algorithm AUTO stands for: docs/internals/algorithms/auto.md.
#pragma once

#include <span>

#include "firmware/collectives/collective.hpp"
#include "firmware/communication/ranks.hpp"

namespace annelid::firmware {

/// From so many bytes of a block on, until the next row's, this algorithm is the fastest. Ranks are
/// laid on the network so, if the algorithm knows any.
struct TunedRow {
  std::uint32_t from;
  std::uint8_t algorithm;  ///< reg::Algorithm
  Ranks::Embedding embedding;
};

/// Among which algorithms that was found out, as bits: all that run on the network; those by rank,
/// which run on any group; those that keep the order of the operands, wherever the root is.
enum TunedAmong : std::uint8_t { kAmongAll = 1, kAmongRanked = 2, kAmongOrdered = 4 };

/// What was measured for an operation of so many processes on a kind of network.
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

/// What a call asks for.
struct TunedKey {
  reg::Operation operation;
  bool rings, one_port;
  std::uint32_t processes, bytes;
};

/// The row for a call, of the nearest table: of networks with routers of that kind, if there are
/// any, then as to rings; then of the number of processes by whose ratio it differs least, the
/// lower one of two; then the first. nullptr if no table knows the operation among these.
const TunedRow* find_tuned(const TunedTables& tables, const TunedKey& key, TunedAmong among);

/// Those that this program was built with.
TunedTables built_in_tables();

/// As serve(), for a call by AUTO. Every process chooses alike, from what is the same at all.
CallResult serve_tuned(Context& me, std::optional<Task>& task);

}  // namespace annelid::firmware
