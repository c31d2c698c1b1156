// Runs traffic on a network without NICs, in this process: measures synthetic traffic, or plays a
// trace to its end.
#pragma once

#include <array>
#include <filesystem>
#include <string_view>

#include "base/exchange.hpp"
#include "base/progress.hpp"
#include "simulation/results/traffic_result.hpp"

namespace annelid::simulation {

/// The kernel that steps the routers. It does not change the results.
enum class KernelChoice : std::uint8_t {
  kAutomatic,  ///< planes where they can run and no flits are observed
  kRouters,    ///< each router by itself
  kPlanes,     ///< an error where they cannot run
  // Planes of one kind of processor, also where there are better ones: an error where the processor
  // lacks their instructions.
  kPlanesBaseline,
  kPlanesAvx2,
  kPlanesAvx512,
};
/// What `--kernel` calls them, by KernelChoice.
inline constexpr std::array<std::string_view, 6> kKernelNames = {
    "auto", "routers", "planes", "planes-baseline", "planes-avx2", "planes-avx512"};

/// What a run of traffic does besides simulating. By default it writes nothing.
struct TrafficOptions {
  RecordingOptions recordings = {};  ///< files written while it runs, and nodes whose router is RTL
  std::filesystem::path packets = {};  ///< a CSV file with a line for each packet; empty: none
  std::filesystem::path folder = {};   ///< made if it is not there, for result.json; empty: none
  KernelChoice kernel = KernelChoice::kAutomatic;
  /// Null, or the processes that simulate the network together. All call run_traffic() with the
  /// same scenario and options, and rank 0 has the result and writes all files.
  Exchange* exchange = nullptr;
  /// The threads of this process that simulate the network together. More than one: without
  /// `exchange`.
  int threads = 1;
};

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
