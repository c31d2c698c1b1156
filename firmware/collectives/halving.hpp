// A line that is halved until every place of it is alone: docs/algorithms.md, "Halving a line".
#pragma once

#include <cstdint>

namespace annelid::firmware {

/// As one place of the line sees it: the segment that it is in, which of them has the message, and
/// the halvings so far.
struct Halving {
  std::uint32_t own = 0;
  std::uint32_t first = 0, length = 1, holder = 0;
  std::uint32_t step = 0;
  // Of the message of a step: from the old holder to that of the other half.
  std::uint32_t from = 0, to = 0, half_first = 0, half_length = 0;

  Halving(std::uint32_t own_place, std::uint32_t size, std::uint32_t holder_place)
      : own(own_place), length(size), holder(holder_place) {}

  /// The next step in which this place receives or sends; false if there is none.
  bool next() {
    while (length > 1) {
      ++step;
      const std::uint32_t lower = (length + 1) / 2, upper_first = first + lower;
      from = holder;
      const bool to_upper = from < upper_first;
      to = to_upper ? upper_first : upper_first - 1;
      half_first = to_upper ? upper_first : first;
      half_length = to_upper ? length - lower : lower;
      const bool in_upper = own >= upper_first;
      if (in_upper == to_upper) holder = to;  // of the half that holds this place
      first = in_upper ? upper_first : first;
      length = in_upper ? length - lower : lower;
      if (own == from || own == to) return true;
    }
    return false;
  }
};

}  // namespace annelid::firmware
