// Whether a network serves what its sources offer: each source for itself, as an average over
// sources hides those that starve (Dally and Towles, chapter 25).
#pragma once

#include <optional>
#include <vector>

#include "traffic/analysis.hpp"
#include "traffic/open_loop.hpp"
#include "traffic/synthetic.hpp"

namespace annelid::traffic {

/// What a source created in the measurement, and what of its packets was delivered in it; flits.
struct Shortfall {
  NodeId node = 0;
  std::uint64_t created = 0, delivered = 0;
};

/// What makes a run saturated. It is, if one of the three is there.
struct Saturation {
  /// Sources whose delivered flits stay below 95 % of the created ones by more than `tolerance`.
  /// By node.
  std::vector<Shortfall> short_sources;
  double tolerance = 0;  ///< 2 of the longest packets or 3 standard deviations, in flits

  /// The busiest channel, if it is to carry 1 flit per cycle or more.
  std::optional<BusyChannel> channel;
  double channel_load = 0;  ///< expected, of the busiest channel

  /// Mean total latencies differ by more than 10 % and by more than both their intervals.
  bool latency = false;
  LatencyEstimate third_quarter, last_quarter;

  [[nodiscard]] bool saturated() const { return !short_sources.empty() || channel || latency; }
  /// Of `short_sources`, which must not be empty: the one that lacks most flits.
  [[nodiscard]] const Shortfall& worst() const;
};

[[nodiscard]] Saturation judge_saturation(const SyntheticConfig& traffic, const Analysis& analysis,
                                          const OpenLoopResult& measured);

}  // namespace annelid::traffic
