// The tables of tune.json, which `annelid tune` writes. The program uses them to check the
// algorithm auto. The firmware gets the same tables from tuned.inc, which is written beside
// tune.json (docs/internals/algorithms/auto.md).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/catalogue.hpp"

namespace annelid::simulation {

/// The set of algorithms from which a table takes the fastest.
enum class TunedAmong : std::uint8_t {
  kAll,      ///< all that run on the network
  kRanked,   ///< algorithms by rank, which run on any processes
  kOrdered,  ///< algorithms by rank that keep the order of the operands, wherever the root is
};
inline constexpr std::size_t kTunedAmongs = 3;

/// "all", "ranked", "ordered".
[[nodiscard]] std::string_view name_of(TunedAmong among);

/// The fastest algorithm from this number of bytes of a block up to the next entry's.
struct TunedChoice {
  std::uint64_t from = 0;
  const reference::Algorithm* algorithm = nullptr;
  reference::Embedding embedding{};  ///< of an algorithm by rank

  friend bool operator==(const TunedChoice&, const TunedChoice&) = default;
};

/// The measurements of an operation with a number of processes on a kind of network.
struct TunedTable {
  reference::Operation operation{};
  bool prepared = false;  ///< of starts of prepared calls; else of calls that the firmware plays
  bool rings = false, one_port = false;
  int processes = 0;
  std::vector<TunedAmong> among;
  std::vector<TunedChoice> choices;  ///< by ascending bytes, the first from 0 on

  friend bool operator==(const TunedTable&, const TunedTable&) = default;
};

/// Returns the tables of the folders with which this program's firmware was built (ANNELID_TUNED).
[[nodiscard]] const std::vector<TunedTable>& built_in_tuned();

}  // namespace annelid::simulation
