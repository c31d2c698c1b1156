// CCL's shift: docs/internals/algorithms/shift.md, after Bala and others 1995, Sections 3.1
// and 4.2.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/schedule/request.hpp"

namespace annelid::reference {

/// How far and where blocks go: the words PARAMETER_1 and PARAMETER_0 of a call.
struct Shift {
  std::int32_t steps = 0;  ///< towards higher ranks, negative: towards lower ones
  bool with_ends = false;  ///< what would pass an end goes nowhere; else cyclic

  /// Returns the rank that the block of a rank goes to, which may be the rank itself, or nothing if
  /// it goes nowhere. `rank` is 0 .. ranks - 1.
  [[nodiscard]] std::optional<int> destination(int ranks, int rank) const;
};

/// Throws std::invalid_argument if PARAMETER_0 is neither 0 (cyclic) nor 1 (with ends).
Shift shift_of(std::uint32_t parameter, std::uint32_t parameter_0);

/// One step in which each rank sends its block; no step if no block leaves its rank. Throws as
/// shift_of().
Schedule shift_by_send_receive(const Request& request);
/// Up to three steps, in which each rank either sends or receives. Throws as shift_of().
Schedule shift_by_even_odd(const Request& request);

}  // namespace annelid::reference
