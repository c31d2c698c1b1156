// The result of a run: the contents of the summary and of result.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "simulation/recordings/recordings.hpp"
#include "simulation/results/account.hpp"
#include "simulation/results/firmware_cycles.hpp"
#include "simulation/scenario/scenario.hpp"
#include "systemc/analysis/packet_tracker.hpp"

namespace annelid::simulation {

/// A channel that carried flits.
struct ChannelLoad {
  Address node;         ///< whose router or NIC sends
  std::string channel;  ///< +x, -x, +y, -y, ej0.., inj0..
  std::uint64_t flits = 0;
};

enum class Verdict : std::uint8_t { kHeld, kFailed, kNotRun };

/// A check of the run. `detail` describes the first difference, or what was found to hold.
struct Check {
  std::string name;
  Verdict verdict = Verdict::kNotRun;
  std::string detail;
  std::size_t call = 0;  ///< the call that it is about: its number in the scenario and 1; 0: all
};

/// What happened in one call.
struct CallResult {
  std::uint32_t crc32 = 0;  ///< of what the processes' SOURCE held, by rank
  std::map<std::uint32_t, systemc::StepStatistics> steps;  ///< by label, 1 for the first step
  std::map<std::uint32_t, std::uint64_t> injection_waits;  ///< by step, cycles (step_waits.hpp)
  std::uint64_t reference_conflicts = 0;  ///< pairs of messages of a step that share a channel
  std::uint64_t nodes_verified = 0;
  FirmwareCycles firmware_cycles;  ///< the firmware's own
  /// By node: the cycle in which its call began, and that in which it ended; kNever at nodes that
  /// are not called.
  std::vector<Cycle> called, finished;
  bool in_modes =
      false;  ///< messages of step 0 are those of CCL's modes, in no step of the schedule

  /// The cycles from the first process's call to the end of the last one's.
  [[nodiscard]] Cycle first_called() const;
  [[nodiscard]] Cycle last_finished() const;
  [[nodiscard]] std::uint64_t messages() const;
  /// Returns the number of steps with a message of the schedule: C1 of CCL, if no step is empty.
  [[nodiscard]] std::size_t schedule_steps() const;
  /// Returns the bytes of all messages of the schedule: C3 of CCL (Bala and others 1995, 4.1).
  [[nodiscard]] std::uint64_t bytes() const;
  /// Returns the bytes of the longest message of each step, summed: C2 of CCL.
  [[nodiscard]] std::uint64_t bytes_in_sequence() const;
  /// Returns the mean number of external channels per message of the schedule; nothing without
  /// messages.
  [[nodiscard]] std::optional<double> mean_hops() const;
};

/// One of the times that the calls of a scenario were made.
struct StartResult {
  Cycle first_called = 0, last_finished = 0;
  std::vector<Cycle> cycles_of_calls;  ///< of each call of the scenario
  std::uint64_t instructions = 0;      ///< of all cores

  /// The cycles from the first process's call to the end of the last one's.
  [[nodiscard]] Cycle cycles() const { return last_finished + 1 - first_called; }
};

/// The result of a run: of its last start, if the scenario has several.
struct RunResult {
  Scenario scenario;
  std::vector<CallResult> calls;  ///< those of the scenario
  /// All starts, if calls are prepared or made more than once. Else it is empty.
  std::vector<StartResult> starts;
  Cycle prepare_cycles = 0;      ///< from the first preparation to the end of the last one
  std::uint64_t list_bytes = 0;  ///< of the longest list of a prepared call at a node

  Cycle ready = 0;                    ///< from here on all nodes were in their main loops
  Cycle start = 0;                    ///< the first cycle of the calls
  Cycle cycles = 0;                   ///< until the last node has finished its calls
  systemc::StepStatistics control;    ///< packets of the NICs' own protocol
  std::uint64_t instructions = 0;     ///< of all cores
  std::vector<ChannelLoad> channels;  ///< those that carried any flit
  std::vector<Check> checks;          ///< those of each call, then those of the run
  // The values below belong to this run alone. They are not in result.json, which is the same for
  // equal runs.
  double host_seconds = 0;
  RecordedFiles recorded;
  std::string profile;         ///< a table of functions; empty if it was not asked for
  Account account;             ///< of the critical path; empty if it was not asked for
  std::filesystem::path file;  ///< result.json; empty if it was not asked for

  /// The only call; the first of several.
  [[nodiscard]] const CallResult& call() const { return calls.front(); }
  [[nodiscard]] std::uint64_t messages() const;
  /// Returns the mean number of external channels per message of the schedules; nothing without
  /// messages.
  [[nodiscard]] std::optional<double> mean_hops() const;
  /// Returns the number of flits over external channels, counted on each channel, with control
  /// packets.
  [[nodiscard]] std::uint64_t flit_hops() const;
  [[nodiscard]] bool passed() const;
  /// Throws RunFailure with the name and the detail of the first check that failed.
  void require_passed() const;
};

/// Returns the cycles from the first head on an injection channel to the last tail on an ejection
/// channel.
Cycle cycles_of(const systemc::StepStatistics& step);

/// Returns result.json. Equal scenarios give the same text, byte for byte, whether their routers
/// are the model or RTL.
std::string to_json(const RunResult& result);

}  // namespace annelid::simulation
