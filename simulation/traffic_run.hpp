// Runs traffic on a network without NICs, in this process: measures synthetic traffic, or plays a
// trace to its end.
#pragma once

#include "base/progress.hpp"
#include "simulation/results/traffic_result.hpp"
#include "simulation/traffic_options.hpp"

namespace annelid::simulation {

/// Simulates the scenario. Times are in cycles, rates in flits per cycle and sending node.
/// Saturated traffic is a result, not an error. Throws
///   * InputError for what cannot be simulated: nodes that the network does not have, files that
///     cannot be written. Nothing has been simulated then.
///   * ConfigError for an impossible network, in a scenario that was filled in by hand;
///     TrafficScenario::read and TrafficScenario::from refuse those before.
///   * RunFailure for a deadlock, and for a trace that has not ended at the cycle limit. The
///     recordings are complete up to there; there is no result.json.
///   * EndedByOther in all other processes, if one of them throws any of these.
///
/// The scenario and the options are only read, and are not needed after this returns. The
/// result owns all that is in it. Calls `progress` from this thread, and clears it at the
/// end.
[[nodiscard]] TrafficResult run_traffic(const TrafficScenario& scenario,
                                        const TrafficOptions& options, Progress& progress);

/// Runs traffic without showing progress.
[[nodiscard]] TrafficResult run_traffic(const TrafficScenario& scenario,
                                        const TrafficOptions& options = {});

}  // namespace annelid::simulation
