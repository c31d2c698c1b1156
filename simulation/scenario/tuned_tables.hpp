// The tables of tune.json, which `annelid tune` writes. The program checks the algorithm auto by
// them. The firmware has them from tuned.inc, which is written beside it
// (docs/internals/algorithms/auto.md).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/catalogue.hpp"

namespace annelid::simulation {

/// The algorithms among which a table has the fastest.
enum class TunedAmong : std::uint8_t {
  kAll,      ///< that run on the network
  kRanked,   ///< by rank, which run on any processes
  kOrdered,  ///< by rank, that keep the order of the operands, wherever the root is
};
inline constexpr std::size_t kTunedAmongs = 3;

/// "all", "ranked", "ordered".
[[nodiscard]] std::string_view name_of(TunedAmong among);

/// The fastest from so many bytes of a block on, until those of the next.
struct TunedChoice {
  std::uint64_t from = 0;
  const reference::Algorithm* algorithm = nullptr;
  reference::Embedding embedding{};  ///< of an algorithm by rank

  friend bool operator==(const TunedChoice&, const TunedChoice&) = default;
};

/// What was measured for an operation of so many processes on a kind of network.
struct TunedTable {
  reference::Operation operation{};
  bool rings = false, one_port = false;
  int processes = 0;
  std::vector<TunedAmong> among;
  std::vector<TunedChoice> choices;  ///< by ascending bytes, the first from 0 on

  friend bool operator==(const TunedTable&, const TunedTable&) = default;
};

/// Those of the folders that the firmware of this program was built with (ANNELID_TUNED).
[[nodiscard]] const std::vector<TunedTable>& built_in_tuned();

}  // namespace annelid::simulation
