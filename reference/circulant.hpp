// Round-optimal broadcast of packets on a circulant graph: Träff and Ripke 2008; Träff 2023
// ("Round- optimal n-block broadcast schedules in logarithmic time"), whose schedules these are.
#pragma once

#include "reference/data_flow.hpp"

namespace annelid::reference {

/// Who gets which packet from whom, in rounds of L = ceil(log2 ranks) that repeat; ranks are
/// relative to the root. Of packets counted from 0, those below 0 mean the round before.
struct CirculantSchedule {
  std::vector<int> skips;  ///< s_0 .. s_L: s_L is `ranks`, s_i half of s_(i+1), rounded up
  /// receives[r][i]: the packet that r receives in round i from r - skips[i], less one per round.
  std::vector<std::vector<int>> receives;

  [[nodiscard]] int ranks() const { return static_cast<int>(receives.size()); }
  [[nodiscard]] int rounds() const { return static_cast<int>(skips.size()) - 1; }
  /// The packet that r sends in round i to r + skips[i].
  [[nodiscard]] int sends(int rank, int round) const;
};

CirculantSchedule circulant_schedule(int ranks);

/// packets - 1 + ceil(log2 ranks) steps.
DataFlow circulant_broadcast(int ranks, int root, int packets);

}  // namespace annelid::reference
