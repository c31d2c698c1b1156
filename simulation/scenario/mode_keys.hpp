// CCL's modes of a call in a scenario: the keys collective.mode and collective.develop
// (docs/internals/algorithms/ccl-modes.md, "Calls of the host").
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "simulation/scenario/collective.hpp"
#include "simulation/scenario/settings.hpp"

namespace annelid::simulation {

/// Bytes of SCRATCH that the comparison of a call in develop mode takes, before the operation's.
inline constexpr std::uint64_t kComparisonBytes = 168;

[[nodiscard]] std::array<Key, 2> mode_keys();

void read_modes(const Settings& settings, Collective& collective);

/// "in barrier mode", "in develop mode", or both; "" if none.
[[nodiscard]] std::string describe_modes(const Collective& collective);
/// " --mode barrier --develop true"; "" if none.
[[nodiscard]] std::string mode_options(const Collective& collective);
void add_modes_json(const Collective& collective, nlohmann::ordered_json& json);

}  // namespace annelid::simulation
