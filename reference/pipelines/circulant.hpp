// Round-optimal broadcast and reduction of packets on a circulant graph: Träff and Ripke 2008. The
// schedules are those of Träff 2023, "Round-optimal n-block broadcast schedules in logarithmic
// time".
#pragma once

#include "reference/schedule/data_flow.hpp"

namespace annelid::reference {

/// Which rank gets which packet from which rank, in L = ceil(log2 ranks) rounds that repeat. Ranks
/// are relative to the root. Packets count from 0; a number below 0 means a packet of the L rounds
/// before.
struct CirculantSchedule {
  std::vector<int> skips;  ///< s_0 .. s_L: s_L is `ranks`, s_i half of s_(i+1), rounded up
  /// receives[r][i] is the packet that rank r receives in round i from rank r - skips[i], relative
  /// to the first packet of these L rounds.
  std::vector<std::vector<int>> receives;

  [[nodiscard]] int ranks() const { return static_cast<int>(receives.size()); }
  [[nodiscard]] int rounds() const { return static_cast<int>(skips.size()) - 1; }
  /// Returns the packet that a rank sends in a round, to rank + skips[round].
  [[nodiscard]] int sends(int rank, int round) const;
};

CirculantSchedule circulant_schedule(int ranks);

/// Take packets - 1 + ceil(log2 ranks) steps.
DataFlow circulant_broadcast(int ranks, int root, int packets);
DataFlow circulant_reduction(int ranks, int root, int packets);

}  // namespace annelid::reference
