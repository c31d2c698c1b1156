// The hybrids of InterCom that a tuning measured as the fastest: tables of tune.json. The program
// uses them to check what the processes choose. The firmware gets the same tables from tuned.inc,
// which is written beside tune.json (docs/internals/algorithms/intercom.md, "Choosing").
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reference/catalogue.hpp"

namespace annelid::simulation {

/// The fastest hybrid from this number of bytes up to the next entry's.
struct TunedHybrid {
  std::uint64_t from = 0;
  std::optional<reference::HybridChoice> hybrid;  ///< nothing: the rule chooses

  friend bool operator==(const TunedHybrid&, const TunedHybrid&) = default;
};

/// The measurements of an operation on a group with these extents.
struct TunedHybrids {
  reference::Operation operation{};
  bool rings = false;
  bool native = false;               ///< firmware that takes no time; else the modelled core's
  std::vector<int> extents;          ///< from near to far, without those of 1
  std::vector<TunedHybrid> choices;  ///< by ascending bytes; before the first the rule chooses

  friend bool operator==(const TunedHybrids&, const TunedHybrids&) = default;
};

/// Whether a table can be for a group with these extents: at most three, each above 1, and at most
/// 1023, 511 and 63.
[[nodiscard]] bool can_be_tuned(const std::vector<int>& extents);

/// Returns the hybrid of the first table for such a call; nothing if the rule chooses.
[[nodiscard]] std::optional<reference::HybridChoice> find_tuned_hybrid(
    const std::vector<TunedHybrids>& tables, reference::Operation operation,
    const reference::Request& request, bool native);

/// Returns the tables of the folders with which this program's firmware was built (ANNELID_TUNED).
[[nodiscard]] const std::vector<TunedHybrids>& built_in_hybrids();

}  // namespace annelid::simulation
