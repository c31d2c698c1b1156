// The configuration that determines the results of a traffic run, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "simulation/scenario/traffic_scenario.hpp"

namespace annelid::simulation {

/// Returns everything that determines the results except the program itself, so equal values give
/// equal results. The scenario's name is not included.
[[nodiscard]] nlohmann::ordered_json configuration_json(const TrafficScenario& scenario);

}  // namespace annelid::simulation
