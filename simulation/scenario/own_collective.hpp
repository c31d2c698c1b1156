// A collective that the user has written (docs/how-to/write-a-collective.md): it is called by its
// name in the firmware's table, and compared with the result that the user expects.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "nic/core.hpp"
#include "simulation/scenario/settings.hpp"
#include "systemc/network/config.hpp"

namespace annelid::simulation {

struct CollectiveChoice;  // collective_keys.hpp, which is not installed

/// Returns the keys of such a call, in addition to those of every collective.
[[nodiscard]] std::span<const Key> own_keys();

/// Reads the call if the settings name an operation, or an algorithm of a known operation, that the
/// firmware knows and the reference does not. `registered` returns the collectives that the
/// firmware serves; it is called only if the reference does not know a name. Returns nothing if the
/// reference knows the names, or if nobody knows them. Throws InputError for values that do not fit
/// the call.
[[nodiscard]] std::optional<CollectiveChoice> read_own_collective(
    const Settings& settings, const systemc::NetworkConfig& network,
    const std::function<std::vector<nic::Image::Collective>()>& registered);

}  // namespace annelid::simulation
