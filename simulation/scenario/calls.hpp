// The collective calls of a run, and the groups that make them: [collective] or tables [[call]],
// and [groups] (docs/reference/scenarios.md, "Groups" and "Several calls").
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "nic/core.hpp"
#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/group.hpp"
#include "simulation/scenario/settings.hpp"
#include "systemc/network/config.hpp"

namespace annelid::simulation {

/// One collective call: each process of it is called once.
struct ScenarioCall {
  std::string name;  ///< empty: the only call, by [collective]
  Collective collective;
  std::filesystem::path payload;    ///< empty: random contents
  std::vector<std::byte> contents;  ///< of the payload
  /// Calls of one table [[call]] on several groups have the same number. They have no process in
  /// common.
  std::size_t table = 0;
  /// A process is called when it has ended those calls of these tables that it takes part in, and
  /// not before the cycle `start` of the run.
  std::vector<std::size_t> after = {};
  Cycle start = 0;
};

/// The calls of a run, and their groups.
struct ScenarioCalls {
  std::vector<ScenarioCall> calls;  ///< those of a table are adjacent
  std::vector<GroupSet> groups;     ///< what the firmware makes before the calls
};

/// The keys "groups.NAME" and those of a [[call]] alone.
[[nodiscard]] std::array<Key, 4> call_keys();

/// Reads the calls that the settings describe. `registered`: see read_own_collective(). Throws
/// InputError as read_collective() does, and for groups and orders of calls that cannot be.
[[nodiscard]] ScenarioCalls read_calls(
    const Settings& settings, const systemc::NetworkConfig& network,
    const std::function<std::vector<nic::Image::Collective>()>& registered);

/// Reads the key collective.group, for a command that makes no groups. Returns nothing if it is not
/// set. Throws InputError if it stands for several groups.
[[nodiscard]] std::optional<ProcessGroup> read_group(const Settings& settings,
                                                     const systemc::NetworkConfig& network);

}  // namespace annelid::simulation
