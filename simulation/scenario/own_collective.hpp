// A collective that the user has written (docs/how-to/write-a-collective.md): called by the name
// that the firmware's table has for it, and compared with a result that the user expects.
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

/// The keys of such a call beside those of every collective.
[[nodiscard]] std::span<const Key> own_keys();

/// The call if the settings name an operation, or an algorithm of a known one, that the reference
/// does not know and the firmware does; `registered` gives what that serves, and is asked only
/// then. Nothing if the names are known, or if nobody knows them. Throws InputError.
[[nodiscard]] std::optional<CollectiveChoice> read_own_collective(
    const Settings& settings, const systemc::NetworkConfig& network,
    const std::function<std::vector<nic::Image::Collective>()>& registered);

}  // namespace annelid::simulation
