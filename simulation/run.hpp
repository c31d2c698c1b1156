// Runs a scenario in this process: builds the machine that the scenario describes, makes the
// collective call once on every node, and checks the run against the reference.
//
//   Scenario scenario = Scenario::read("edn-broadcast-8x8.toml", {});
//   RunResult result = run(scenario);
//   if (!result.passed()) ...
//
// A process may make any number of runs, one after the other. Each is a SystemC simulation of its
// own (systemc/modules/elaboration.hpp). Only one thread may make runs.
//
// To vary a value, change it in the scenario's settings and read them again:
//
//   Settings settings = scenario.settings;
//   settings.set("router.vcs", "4");
//   RunResult other = run(Scenario::from(settings));
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/exchange.hpp"
#include "base/progress.hpp"
#include "simulation/recordings/core_recordings.hpp"
#include "simulation/recordings/recordings.hpp"
#include "simulation/results/run_result.hpp"
#include "simulation/scenario/scenario.hpp"

namespace annelid::simulation {

/// What a run does besides simulating. By default it writes nothing, and all routers are the model.
struct RunOptions {
  RecordingOptions recordings = {};  ///< files written while it runs, and nodes whose router is RTL
  CoreRecordingOptions cores = {};   ///< what the cores execute; none with native firmware
  std::optional<std::uint16_t> gdb = {};  ///< port on which gdb connects; 0: any. One process alone
  std::function<void(std::uint16_t)> listening = {};  ///< called before gdb is waited for
  bool account = false;                               ///< whether to follow the critical path
  std::filesystem::path folder = {};  ///< made if it is not there, for result.json; empty: none
  /// The processes that simulate the network together; null if this one does it alone. Process 0
  /// alone writes, checks and returns a full result. It throws the RunFailure, and the others throw
  /// EndedByOther.
  Exchange* exchange = nullptr;
};

/// Simulates the scenario to its end and checks the result. Times are in cycles, lengths in bytes,
/// channel loads in flits; the units of each value are where RunResult declares it.
///
/// A check that fails is not an error: see RunResult::passed() and RunResult::checks. Throws
///   * InputError for what cannot be simulated: a firmware file that is no RV32 program, nodes that
///     the network does not have, files that cannot be written. Nothing has been simulated then.
///   * ConfigError for an impossible network or NIC, in a scenario that was filled in by
///     hand; Scenario::read and Scenario::from refuse those before.
///   * RunFailure if the run did not complete: a trap, a NIC error, a deadlock, a stall, or the
///     cycle limit. The recordings are complete up to there; there is no result.json.
///
/// The scenario and the options are only read, and are not needed after this returns. The
/// result owns all that is in it. Calls `progress` from this thread, and clears it at the
/// end.
[[nodiscard]] RunResult run(const Scenario& scenario, const RunOptions& options,
                            Progress& progress);

/// Runs without showing progress.
[[nodiscard]] RunResult run(const Scenario& scenario, const RunOptions& options = {});

}  // namespace annelid::simulation
