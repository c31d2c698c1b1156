// Runs traffic on a network without NICs, in this process: synthetic traffic, which is measured, or
// a trace, which is played to its end.
#pragma once

#include <filesystem>

#include "base/progress.hpp"
#include "simulation/results/traffic_result.hpp"

namespace annelid::simulation {

/// What steps the routers. The results are the same.
enum class KernelChoice : std::uint8_t {
  kAutomatic,  ///< planes where they can run and nobody watches flits
  kRouters,    ///< each router by itself
  kPlanes,     ///< an error where they cannot run
};

/// What a run of traffic does besides simulating. By default it writes nothing.
struct TrafficOptions {
  RecordingOptions recordings = {};  ///< files written while it runs, and nodes whose router is RTL
  std::filesystem::path packets = {};  ///< a CSV file with a line for each packet; empty: none
  std::filesystem::path folder = {};   ///< made if it is not there, for result.json; empty: none
  bool fast = false;                   ///< channel loads and buffer occupancy are left out
  KernelChoice kernel = KernelChoice::kAutomatic;
};

/// Simulates the scenario. Times are in cycles, rates in flits per cycle and node that sends.
/// Saturated traffic is a result, not an error. Throws
///   * InputError for what cannot be simulated: nodes that the network does not have, files that
///     cannot be written. Nothing has been simulated then.
///   * ConfigError for a network that is not possible, in a scenario that was filled in by hand;
///     TrafficScenario::read and TrafficScenario::from refuse those before.
///   * RunFailure for a deadlock, and for a trace that has not ended at the cycle limit. The
///     recordings are complete up to there; there is no result.json.
///
/// The scenario and the options are only read, and are not needed after this returns. The
/// result owns all that is in it. Calls `progress` from this thread, and clears it at the
/// end.
[[nodiscard]] TrafficResult run_traffic(const TrafficScenario& scenario,
                                        const TrafficOptions& options, Progress& progress);

/// The same, without showing progress.
[[nodiscard]] TrafficResult run_traffic(const TrafficScenario& scenario,
                                        const TrafficOptions& options = {});

}  // namespace annelid::simulation
