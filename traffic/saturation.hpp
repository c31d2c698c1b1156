// Whether a network delivers what its sources offer. Each source is judged by itself, because an
// average over sources hides those that starve (Dally and Towles, chapter 25).
#pragma once

#include <optional>
#include <vector>

#include "traffic/analysis.hpp"
#include "traffic/open_loop.hpp"
#include "traffic/synthetic.hpp"

namespace annelid::traffic {

/// The flits that a source created in the measurement, and those of its flits delivered in it.
struct Shortfall {
  NodeId node = 0;
  std::uint64_t created = 0, delivered = 0;
};

/// The signs of saturation. A run is saturated if at least one of the three applies.
struct Saturation {
  /// Sources whose delivered flits are below 95 % of the created ones by more than `tolerance`
  /// flits, sorted by node.
  std::vector<Shortfall> short_sources;
  double tolerance = 0;  ///< 2 of the longest packets or 3 standard deviations, in flits

  /// The busiest channel, if its expected load is 1 flit per cycle or more.
  std::optional<BusyChannel> channel;
  double channel_load = 0;  ///< expected load of the busiest channel, in flits per cycle

  /// Mean total latencies differ by more than 10 %, and by more than both of their intervals.
  bool latency = false;
  /// No packet was created in the measurement, so the two other criteria had nothing to judge.
  bool empty = false;
  LatencyEstimate third_quarter, last_quarter;

  [[nodiscard]] bool saturated() const { return !short_sources.empty() || channel || latency; }
  /// The source in `short_sources` that lacks most flits. The list must not be empty.
  [[nodiscard]] const Shortfall& worst() const;
};

[[nodiscard]] Saturation judge_saturation(const SyntheticConfig& traffic, const Analysis& analysis,
                                          const OpenLoopResult& measured);

}  // namespace annelid::traffic
